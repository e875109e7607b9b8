-- An address somebody wants to have, until its code proves it theirs.
alter table account add column pending_email text check (pending_email = lower(pending_email));

alter table code drop constraint code_purpose_check,
  add constraint code_purpose_check check (purpose in ('sign-up', 'reset', 'email'));
