-- What was taken back is kept unseen, so that its key does not bring it again.
alter table notification add column taken_back_at timestamptz;
