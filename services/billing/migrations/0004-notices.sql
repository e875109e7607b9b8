-- What subscribers are to be told by mail. It names nobody: whose it is and where it goes is looked up when it is sent.
create table notice (
  id uuid primary key default gen_random_uuid(),
  subscriber_id uuid not null references subscriber,
  -- {kind, money, until}, by the subscriber's clock.
  content jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  due_at timestamptz not null
);
create index notice_due on notice (due_at);
create index notice_by_subscriber on notice (subscriber_id);
