create table rate_limit (
  key varchar(255) primary key,
  points integer not null,
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);
comment on table rate_limit is
  'Attempts per rate limit and subject in the current window. The columns are those of rate-limiter-flexible.';
comment on column rate_limit.key is 'The name of the limit, and the HMAC of the user, account or network.';
comment on column rate_limit.expire is 'The end of the window in milliseconds since 1970.';

delete from attempt_counter where kind like 'network-%';
comment on table attempt_counter is 'Attempts of one account, counted in the transaction that they belong to.';
comment on column attempt_counter.subject is 'An account, or the decoy of an unknown address.';
