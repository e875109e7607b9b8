-- The audit log: who did what, when and from where. Rows are only ever inserted, made anonymous and, after the retention
-- period, deleted.
create table event (
  id uuid primary key default gen_random_uuid(),
  occurred_at timestamptz not null default clock_timestamp(),
  -- A key of the table in packages/audit/src/events.ts.
  type text not null,
  actor text not null check (actor in ('user', 'anonymous', 'admin', 'system')),
  -- The account of the operating system that ran an admin command.
  actor_name text,
  -- The user whom the event concerns: the id in the portal, or the subject at the identity provider. No foreign key: events
  -- outlive the account, without it.
  user_id text,
  -- Shortened: the /24 of an IPv4 address, the /48 of an IPv6 address.
  network text,
  browser text,
  system text,
  request_id text,
  details jsonb not null default '{}'
);

create index event_user on event (user_id, occurred_at desc, id desc) where user_id is not null;
create index event_time on event (occurred_at desc, id desc);
