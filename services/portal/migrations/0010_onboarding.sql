-- New users are asked what they learn after sign-up; those who are here already are not.
alter table users add column onboarded_at timestamptz;
update users set onboarded_at = created_at;
comment on column users.onboarded_at is 'When the user answered or skipped the questions after sign-up; null before. Not asked of operator users.';
