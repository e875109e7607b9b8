-- Accounts that are gone here and have still to go at the billing and at the identity provider. `reader` is the id that
-- the one knew them by, `account` the name that the other has for them.
create table erasure (
  reader uuid primary key,
  subject_hash bytea not null,
  account text not null,
  attempts integer not null default 0,
  due_at timestamptz not null
);
create index erasure_subject on erasure (subject_hash);
create index erasure_due on erasure (due_at);
