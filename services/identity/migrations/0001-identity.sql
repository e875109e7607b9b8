-- Who may sign in. The address is the name people sign in with, kept in lower case; the id is their `sub`.
create table account (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  given_name text,
  family_name text,
  phone_number text,
  status text not null check (status in ('UNCONFIRMED', 'CONFIRMED', 'RESET_REQUIRED')),
  enabled boolean not null default true,
  -- SRP salt and verifier, sealed with a key that is not in the database.
  credential bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- What tokens are signed with: one key in use for each kind of token, retired ones stay published.
create table signing_key (
  id text primary key,
  use text not null check (use in ('access', 'id')),
  modulus text not null,
  exponent text not null,
  sealed_private_key bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
create unique index signing_key_in_use on signing_key (use) where retired_at is null;

-- Handshakes that were answered: none is answered twice while its seal lasts.
create table answered_handshake (
  id uuid primary key,
  expires_at timestamptz not null
);
create index answered_handshake_expiry on answered_handshake (expires_at);

-- The one code that is good for a person and purpose, as a keyed hash. Addresses without an account have rows too,
-- so that they answer alike; hence no reference.
create table code (
  subject uuid not null,
  purpose text not null check (purpose in ('sign-up', 'reset')),
  hash bytea not null,
  misses integer not null default 0,
  expires_at timestamptz not null,
  primary key (subject, purpose)
);
create index code_expiry on code (expires_at);

-- How often something was tried, for the lock-out and the limits. The subject is an account, an address without one,
-- or the network address it came from, hashed.
create table attempt (
  subject uuid not null,
  kind text not null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  primary key (subject, kind)
);
create index attempt_age on attempt (last_at);

-- A sign-in and what follows from it; the id is `origin_jti` in its tokens.
create table session (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  client_id text not null,
  scope text not null,
  signed_in_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index session_account on session (account_id);
create index session_expiry on session (expires_at);

create table refresh_token (
  hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  created_at timestamptz not null,
  replaced_at timestamptz
);
create index refresh_token_session on refresh_token (session_id);

-- The outbox of the embedded default: mail that nobody sends, for people to read on its page.
create table mail (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  code text not null,
  created_at timestamptz not null
);
create index mail_recipient on mail (recipient, id);
