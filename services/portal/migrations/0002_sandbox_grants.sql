-- Subscriptions that were bought without real money count only where the sandbox is on.

alter table subscription_grant add column is_sandbox boolean not null default false;
comment on column subscription_grant.is_sandbox is 'Bought without real money, or granted in demo mode; counts only where the sandbox is on.';

-- Grants of our own exist in demo mode only.
update subscription_grant set is_sandbox = true where product is null;

-- Purchases are read again with the user's next request.
delete from subscription_sync;
