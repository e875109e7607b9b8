-- Mailed codes as the second factor, apart from those that start a sign-in and that anybody may request.

alter table verification_code drop constraint verification_code_purpose_check;
alter table verification_code add constraint verification_code_purpose_check
  check (purpose in ('sign-up', 'reset', 'email', 'sign-in', 'second-factor'));
