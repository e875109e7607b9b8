-- Whoever buys, by the name the app gave. Forgotten subscribers lose their name and all that is personal; what was paid stays.
create table subscriber (
  id uuid primary key default gen_random_uuid(),
  app_user_id text unique,
  email text,
  -- Who pays, at each gateway: {"sandbox": {customer, card}}.
  payers jsonb not null default '{}',
  -- How far the subscriber's clock is ahead, in seconds: moved by hand where cards are of a sandbox.
  clock_ahead bigint not null default 0 check (clock_ahead >= 0),
  first_seen_at timestamptz not null,
  deleted_at timestamptz
);

-- What a subscription's entries in the ledger come to; it can be made again from them.
create table subscription (
  id uuid primary key,
  subscriber_id uuid not null references subscriber,
  state jsonb not null,
  -- How many entries it comes from.
  version integer not null,
  -- When it must be looked at again, by our clock; null once it has ended.
  due_at timestamptz,
  -- Until when a process works on it.
  leased_until timestamptz
);
create index subscription_by_subscriber on subscription (subscriber_id);
create index subscription_due on subscription (due_at) where due_at is not null;

-- Everything that ever happened to a subscription. Entries are only added.
create table ledger (
  id bigint primary key generated always as identity,
  subscription_id uuid not null references subscription,
  -- Counts from 1 within the subscription.
  number integer not null,
  kind text not null,
  -- By the subscriber's clock.
  happened_at timestamptz not null,
  data jsonb not null,
  recorded_at timestamptz not null default clock_timestamp(),
  unique (subscription_id, number)
);
-- The charge that an entry speaks of.
create index ledger_charge on ledger ((data ->> 'key')) where data ? 'key';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is only added to';
end $$;
create trigger ledger_is_final before update or delete or truncate on ledger
  for each statement execute function refuse_change();

-- A purchase on its way.
create table checkout (
  -- Its session id, which nobody can guess.
  id text primary key,
  subscriber_id uuid not null references subscriber,
  -- What is bought: {product, option, price, period, trial}.
  terms jsonb not null,
  offering text not null,
  is_sandbox boolean not null,
  status text not null check (status in ('started', 'in_progress', 'succeeded', 'failed')),
  -- 1 setting up, 2 the card, 3 the charge.
  error_code integer check (error_code between 1 and 3),
  -- The gateway's names for who pays and for the card on its way.
  customer text not null,
  setup text not null unique,
  card text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  leased_until timestamptz
);
create index checkout_by_subscriber on checkout (subscriber_id);
create index checkout_unsettled on checkout (leased_until) where status = 'in_progress';

-- What the sandbox's cards did: the world outside, as far as the billing provider is concerned.
create table sandbox_setup (
  id text primary key,
  client_secret text not null unique,
  outcome text check (outcome in ('succeeded', 'failed')),
  card text
);
create table sandbox_card (
  id text primary key,
  -- What charges will come to.
  outcome text not null check (outcome in ('succeeded', 'failed'))
);
create table sandbox_charge (
  key text primary key,
  card text not null,
  amount integer not null check (amount > 0),
  currency text not null,
  outcome text not null check (outcome in ('succeeded', 'failed')),
  refunded integer not null default 0
);
