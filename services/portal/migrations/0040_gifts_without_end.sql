-- Of our own grants without an end a user has one. The billing provider may report several, each with its product.
drop index subscription_grant_promotional;
create unique index subscription_grant_promotional on subscription_grant (user_id)
  where product is null and store = 'promotional' and expires_at is null;
