-- Readers who were erased, as a hash of their subject, until the tokens from before have ended: those bring nobody back.
create table erased_reader (
  subject_hash bytea primary key,
  erased_at timestamptz not null
);
create index erased_reader_age on erased_reader (erased_at);
