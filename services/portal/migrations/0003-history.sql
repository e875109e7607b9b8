-- Whether a place stands in the history; clearing takes it out and keeps the place.
alter table listening_place add column remembered boolean not null default true;
create index listening_place_history on listening_place (user_id, heard_at desc, article_id) where remembered;

-- When it happened by the device's clock, never later than it was received.
alter table listening_entry add column happened_at timestamptz;
update listening_entry set happened_at = received_at;
alter table listening_entry alter column happened_at set not null;
create index listening_entry_when on listening_entry (user_id, happened_at);
create index listening_entry_ended on listening_entry (user_id, article_id) where cause = 'ended';
