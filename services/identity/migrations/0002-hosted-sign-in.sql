-- Who comes by another provider has no password here, and perhaps no address: only people with a password sign in by
-- one, so only among them an address means one account.
alter table account
  alter column email drop not null,
  alter column credential drop not null,
  add column provider text check (provider in ('google', 'facebook')),
  add column provider_subject text,
  drop constraint account_email_key,
  add constraint account_door check (
    case when provider is null
      then provider_subject is null and email is not null and credential is not null
      else provider_subject is not null and credential is null
    end
  );
create unique index account_email on account (email) where provider is null;
create unique index account_provider on account (provider, provider_subject);

-- What a person recognises a sign-in by, and when it was last gone on with.
alter table session add column agent text, add column used_at timestamptz;
update session set used_at = signed_in_at;
alter table session alter column used_at set not null;

-- A browser that is signed in at the hosted pages. The cookie's value is kept as SHA-256.
create table hosted_session (
  hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  signed_in_at timestamptz not null,
  expires_at timestamptz not null
);
create index hosted_session_account on hosted_session (account_id);
create index hosted_session_expiry on hosted_session (expires_at);

-- Authorization codes as SHA-256, with all that redeeming one must fit. The session is what it gave, once it did.
create table authorization_code (
  hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  challenge text not null,
  scope text not null,
  nonce text,
  signed_in_at timestamptz not null,
  expires_at timestamptz not null,
  session_id uuid
);
create index authorization_code_account on authorization_code (account_id);
create index authorization_code_expiry on authorization_code (expires_at);

-- Visits to another provider that people may come back from, once: the state's SHA-256, and what goes on, sealed.
create table federation (
  hash bytea primary key,
  sealed bytea not null,
  expires_at timestamptz not null
);
create index federation_expiry on federation (expires_at);
