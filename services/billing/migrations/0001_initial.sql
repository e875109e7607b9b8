-- The billing provider's schema. A subscription is event-sourced: subscription_event is append-only, subscription.state
-- is what its events reduce to. Comments are part of the schema: psql shows them with \d+.

-- Subscribers ---------------------------------------------------------------------------------------------------------

create table subscriber (
  id uuid primary key default gen_random_uuid(),
  app_user_id text unique,
  email text,
  payers jsonb not null default '{}',
  clock_offset_seconds bigint not null default 0 check (clock_offset_seconds >= 0),
  first_seen_at timestamptz not null,
  deleted_at timestamptz
);
comment on table subscriber is 'One row per app user. Deletion clears everything personal; payments stay.';
comment on column subscriber.app_user_id is 'The user id of the app; null once the subscriber is deleted.';
comment on column subscriber.payers is 'The customer and the card at each gateway: {"sandbox": {"customer": …, "card": …}, "production": …}.';
comment on column subscriber.clock_offset_seconds is 'How far the subscriber''s clock is ahead of the server''s; only the sandbox moves it.';

-- Subscriptions -------------------------------------------------------------------------------------------------------

create table subscription (
  id uuid primary key,
  subscriber_id uuid not null references subscriber,
  state jsonb not null,
  version integer not null,
  due_at timestamptz
);
create index subscription_by_subscriber on subscription (subscriber_id);
-- Finds overdue subscriptions whose job was lost.
create index subscription_due on subscription (due_at) where due_at is not null;
-- Finds the subscription that a gateway's event is about.
create index subscription_by_gateway_subscription on subscription ((state ->> 'gatewaySubscription'))
  where state ->> 'gatewaySubscription' is not null;
comment on table subscription is 'The current state of each subscription, derived from subscription_event.';
comment on column subscription.state is 'What the events reduce to; the shape is in subscriptions/events.ts.';
comment on column subscription.version is 'How many events the state includes.';
comment on column subscription.due_at is 'When a job processes the subscription next, by the server''s clock; null once it has ended.';

create table subscription_event (
  id bigint primary key generated always as identity,
  subscription_id uuid not null references subscription,
  sequence integer not null,
  kind text not null,
  occurred_at timestamptz not null,
  data jsonb not null,
  recorded_at timestamptz not null default clock_timestamp(),
  unique (subscription_id, sequence)
);
-- Finds the subscription of a charge.
create index subscription_event_charge on subscription_event ((data ->> 'key')) where data ? 'key';
-- Finds a payment by the gateway's id.
create index subscription_event_reference on subscription_event ((data ->> 'reference')) where kind = 'paid';
comment on table subscription_event is 'The ledger: everything that happened to a subscription. Append-only.';
comment on column subscription_event.sequence is 'Counts from 1 within the subscription.';
comment on column subscription_event.occurred_at is 'By the subscriber''s clock.';
comment on column subscription_event.data is 'The event; the shape is in subscriptions/events.ts.';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'subscription_event is append-only';
end $$;
create trigger subscription_event_is_append_only before update or delete or truncate on subscription_event
  for each statement execute function refuse_change();

-- Purchases -----------------------------------------------------------------------------------------------------------

create table checkout (
  id text primary key,
  subscriber_id uuid not null references subscriber,
  terms jsonb not null,
  offering text not null,
  is_sandbox boolean not null,
  status text not null check (status in ('started', 'in_progress', 'succeeded', 'failed')),
  error_code integer check (error_code between 1 and 3),
  customer text not null,
  setup text not null unique,
  card text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  locked_until timestamptz,
  ordered_at timestamptz
);
create index checkout_by_subscriber on checkout (subscriber_id);
comment on table checkout is 'A purchase, from the card form to the subscription.';
comment on column checkout.id is 'The operation session id of the protocol; it cannot be guessed.';
comment on column checkout.terms is 'What is bought: {"product", "option", "price", "period", "trial"}.';
comment on column checkout.error_code is 'The protocol''s code: 1 set-up, 2 payment method, 3 charge.';
comment on column checkout.customer is 'The gateway''s customer id.';
comment on column checkout.setup is 'The gateway''s id of the card set-up, e.g. a SetupIntent.';
comment on column checkout.card is 'The gateway''s id of the card, once the form is completed.';
comment on column checkout.locked_until is 'Until when one process alone takes the payment.';
comment on column checkout.ordered_at is 'When payment began. Makes a repeated order identical to the first one.';

-- Outboxes ------------------------------------------------------------------------------------------------------------

create table webhook_event (
  id bigint primary key generated always as identity,
  subscriber_id uuid not null references subscriber,
  event jsonb not null
);
-- The unsent events of a subscriber, in order.
create index webhook_event_order on webhook_event (subscriber_id, id);
comment on table webhook_event is 'Webhook events that are not delivered yet. One job per subscriber sends them in order and deletes them.';
comment on column webhook_event.event is '{"type", "at", "product", "isSandbox"}';

create table notification_email (
  id uuid primary key default gen_random_uuid(),
  subscriber_id uuid not null references subscriber,
  content jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index notification_email_by_subscriber on notification_email (subscriber_id);
comment on table notification_email is 'E-mails that are not sent yet. The address is looked up when the job sends them.';
comment on column notification_email.content is '{"kind", "money", "until"}; until is by the subscriber''s clock.';

-- Sandbox gateway: simulates an external gateway, so no other table refers to these ------------------------------------

create table sandbox_setup (
  id text primary key,
  client_secret text not null unique,
  outcome text check (outcome in ('succeeded', 'failed')),
  card text,
  customer text
);
comment on table sandbox_setup is 'Card forms.';

create table sandbox_card (
  id text primary key,
  outcome text not null check (outcome in ('succeeded', 'failed', 'authentication_required'))
);
comment on column sandbox_card.outcome is 'The outcome of every charge of the card.';

create table sandbox_charge (
  key text primary key,
  card text not null,
  amount integer not null check (amount > 0),
  currency text not null,
  outcome text not null check (outcome in ('succeeded', 'failed', 'authentication_required')),
  refunded integer not null default 0
);
comment on table sandbox_charge is 'Charges by idempotency key. Amounts are in the currency''s smallest unit.';
