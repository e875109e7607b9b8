-- Schema of the identity provider. Every credential is stored encrypted or hashed, with a key outside the database.

create table account (
  id uuid primary key,
  email text check (email = lower(email)),
  email_verified boolean not null default false,
  pending_email text check (pending_email = lower(pending_email)),
  given_name text,
  family_name text,
  phone_number text,
  status text not null check (status in ('UNCONFIRMED', 'CONFIRMED', 'RESET_REQUIRED')),
  enabled boolean not null default true,
  credential bytea,
  provider text check (provider in ('google', 'facebook')),
  provider_subject text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint account_sign_in_method check (
    case when provider is null
      then provider_subject is null and email is not null and credential is not null
      else provider_subject is not null and credential is null
    end
  )
);
create unique index account_email on account (email) where provider is null;
create unique index account_provider on account (provider, provider_subject);
comment on table account is
  'Users of the pool. A user signs in either with an email address and a password or by another identity provider.';
comment on column account.id is 'The `sub` claim of the user''s tokens.';
comment on column account.email is
  'In lower case. Unique among users with a password only: federated users may have no address or a shared one.';
comment on column account.pending_email is 'A requested new address that is not verified yet.';
comment on column account.status is 'Cognito''s UserStatus.';
comment on column account.credential is 'SRP salt and verifier, encrypted; null for federated users.';
comment on column account.provider is 'The federated identity provider; null for users with a password.';
comment on column account.provider_subject is 'The user''s id at that provider.';

create table signing_key (
  id text primary key,
  use text not null check (use in ('access', 'id')),
  modulus text not null,
  exponent text not null,
  encrypted_private_key bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
create unique index signing_key_in_use on signing_key (use) where retired_at is null;
comment on table signing_key is
  'RSA keys that sign tokens. One key per use is active; retired keys stay published until their tokens have expired.';
comment on column signing_key.id is 'The JWK thumbprint, used as `kid`.';
comment on column signing_key.use is 'The kind of token the key signs.';
comment on column signing_key.retired_at is 'From then on the key''s successor signs; it may lie in the future.';

create table used_handshake (
  id uuid primary key,
  expires_at timestamptz not null
);
create index used_handshake_expires_at on used_handshake (expires_at);
comment on table used_handshake is 'SRP handshakes that were answered: each may be answered once until it expires.';

create table verification_code (
  user_id uuid not null,
  purpose text not null check (purpose in ('sign-up', 'reset', 'email')),
  hash bytea not null,
  failed_attempts integer not null default 0,
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);
create index verification_code_expires_at on verification_code (expires_at);
comment on table verification_code is 'The valid mailed code per user and purpose.';
comment on column verification_code.user_id is
  'An account, or the decoy of an unknown address, which must respond alike; therefore not a foreign key.';
comment on column verification_code.hash is 'HMAC of user, purpose and code.';

create table attempt_counter (
  subject uuid not null,
  kind text not null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  locked_until timestamptz,
  primary key (subject, kind)
);
create index attempt_counter_last_at on attempt_counter (last_at);
comment on table attempt_counter is 'Attempts counted for the lockout after wrong passwords and for rate limits.';
comment on column attempt_counter.subject is 'An account, the decoy of an unknown address, or the HMAC of a network.';
comment on column attempt_counter.kind is '`password` for the lockout, or the kind of a rate limit.';
comment on column attempt_counter.first_at is 'The start of the window.';

create table session (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  client_id text not null,
  scope text not null,
  signed_in_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  user_agent text,
  last_used_at timestamptz not null
);
create index session_account_id on session (account_id);
create index session_expires_at on session (expires_at);
comment on table session is 'A sign-in and all tokens that follow from it.';
comment on column session.id is 'The `origin_jti` claim of the session''s tokens.';
comment on column session.last_used_at is 'The time of the sign-in or of the last refresh.';

create table refresh_token (
  hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  created_at timestamptz not null,
  rotated_at timestamptz
);
create index refresh_token_session_id on refresh_token (session_id);
comment on table refresh_token is 'Refresh tokens by their SHA-256.';
comment on column refresh_token.rotated_at is 'When the token was replaced; its use after the grace period is reuse.';

create table hosted_session (
  hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  signed_in_at timestamptz not null,
  expires_at timestamptz not null
);
create index hosted_session_account_id on hosted_session (account_id);
create index hosted_session_expires_at on hosted_session (expires_at);
comment on table hosted_session is 'Browsers that are signed in at the hosted pages, by the SHA-256 of their cookie.';

create table authorization_code (
  hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  scope text not null,
  nonce text,
  signed_in_at timestamptz not null,
  expires_at timestamptz not null,
  session_id uuid
);
create index authorization_code_account_id on authorization_code (account_id);
create index authorization_code_expires_at on authorization_code (expires_at);
comment on table authorization_code is
  'OAuth authorization codes by their SHA-256, with the parameters their redemption must match.';
comment on column authorization_code.code_challenge is 'The S256 challenge of PKCE (RFC 7636).';
comment on column authorization_code.session_id is 'The session that redemption created; a second use revokes it.';

create table federated_sign_in (
  hash bytea primary key,
  encrypted_state bytea not null,
  expires_at timestamptz not null
);
create index federated_sign_in_expires_at on federated_sign_in (expires_at);
comment on table federated_sign_in is
  'Pending sign-ins at other providers by the SHA-256 of their OAuth state; each can be completed once.';
comment on column federated_sign_in.encrypted_state is 'The authorization request to continue with, encrypted.';

create table outbox_mail (
  id bigint generated always as identity primary key,
  account_id uuid,
  recipient text not null,
  subject text not null,
  body text not null,
  code text,
  created_at timestamptz not null
);
create index outbox_mail_recipient on outbox_mail (recipient, id);
create index outbox_mail_account_id on outbox_mail (account_id);
comment on table outbox_mail is 'Mail of installations without a mail server, for the outbox page.';
comment on column outbox_mail.account_id is
  'The account the mail is about, with which it is deleted. Not a foreign key: mail is also written for decoys.';
