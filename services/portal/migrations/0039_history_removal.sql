-- Listening from before a removal may arrive after it, from a device that was offline; it must not list the track again. Adding the columns does not rewrite the tables.
alter table users add column history_cleared_at timestamptz;
comment on column users.history_cleared_at is 'When the user last cleared the history; null for never. Listening from before lists no track.';
alter table listening_progress add column history_removed_at timestamptz;
comment on column listening_progress.history_removed_at is 'When the user last removed the track from the history; null for never, or after an undo.';
