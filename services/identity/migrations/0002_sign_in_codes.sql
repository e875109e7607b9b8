-- Codes for sign-in by CUSTOM_AUTH.

alter table verification_code drop constraint verification_code_purpose_check;
alter table verification_code add constraint verification_code_purpose_check
  check (purpose in ('sign-up', 'reset', 'email', 'sign-in'));
comment on table used_handshake is
  'SRP handshakes and custom challenges that were answered: each may be answered once until it expires.';
