-- A subscription by the name of the one that its gateway keeps.
create index subscription_kept on subscription ((state ->> 'gatewaySubscription'))
  where state ->> 'gatewaySubscription' is not null;
