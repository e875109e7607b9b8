-- Operators' users have tokens of the portal, which must end with the session. Adding the column does not rewrite the table.
alter table users add column signed_out_at timestamptz;
comment on column users.signed_out_at is 'When an operator''s user last signed out. Tokens from before are refused. Null for all other users, whose sessions the identity provider ends.';
