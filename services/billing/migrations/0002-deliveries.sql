-- What others are to be told, in its order for each subscriber; taken out once they know. It names nobody.
create table delivery (
  id bigint primary key generated always as identity,
  subscriber_id uuid not null references subscriber,
  -- {type, at, product, isSandbox}
  event jsonb not null,
  attempts integer not null default 0,
  due_at timestamptz not null
);
create index delivery_in_order on delivery (subscriber_id, id);
create index delivery_due on delivery (due_at);
