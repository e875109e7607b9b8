-- What the billing provider says a reader has: the product it knows it by. Null for what we gave ourselves.
alter table subscription_grant add column product text;
create unique index subscription_grant_product on subscription_grant (user_id, product) where product is not null;

-- When a reader's purchases were asked for at the billing provider; whoever asks holds the row meanwhile.
create table subscription_check (
  user_id uuid primary key references users on delete cascade,
  checked_at timestamptz not null
);
