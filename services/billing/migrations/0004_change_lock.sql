alter table subscription add column locked_until timestamptz;
comment on column subscription.locked_until is 'Until when one request alone changes the gateway''s subscription.';
