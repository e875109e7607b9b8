-- Finds the sign-ups that nobody confirmed, which are deleted after a while.

create index account_unconfirmed on account (updated_at) where status = 'UNCONFIRMED';
