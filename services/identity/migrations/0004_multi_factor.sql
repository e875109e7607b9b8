-- Second factors (time-based codes, mailed codes, recovery codes) and passkeys.

create table mfa_setting (
  account_id uuid primary key references account on delete cascade,
  encrypted_secret bytea,
  encrypted_pending_secret bytea,
  device_name text,
  last_used_step integer,
  software_token_enabled boolean not null default false,
  email_enabled boolean not null default false,
  preferred text check (preferred in ('SOFTWARE_TOKEN_MFA', 'EMAIL_OTP')),
  updated_at timestamptz not null,
  constraint mfa_setting_software_token check (not software_token_enabled or encrypted_secret is not null)
);
comment on table mfa_setting is 'The second factors of users who set one up.';
comment on column mfa_setting.encrypted_secret is 'The verified TOTP secret (RFC 6238), encrypted.';
comment on column mfa_setting.encrypted_pending_secret is
  'A TOTP secret that replaces the verified one once a code proves that the user has it, encrypted.';
comment on column mfa_setting.last_used_step is
  'The time step (30 s since the epoch) of the last accepted code: codes of it and of earlier steps are refused.';
comment on column mfa_setting.preferred is 'The factor that sign-in asks for first; null lets the user choose.';

create table recovery_code (
  account_id uuid not null references account on delete cascade,
  hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, hash)
);
comment on table recovery_code is 'Codes that take the place of a time-based code; each can be used once.';
comment on column recovery_code.hash is 'HMAC of account and code.';

create table passkey (
  id text primary key,
  account_id uuid not null references account on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  attachment text,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_account_id on passkey (account_id);
comment on table passkey is 'Discoverable WebAuthn credentials of users.';
comment on column passkey.id is 'The credential id in base64url.';
comment on column passkey.public_key is 'The COSE public key.';
comment on column passkey.counter is
  'The signature counter of the last sign-in; one that does not rise reveals a copied authenticator.';
