-- A device that was offline reports listening from before a removal, which lists nothing again. Adding the columns does not rewrite the tables.
alter table users add column history_cleared_at timestamptz;
comment on column users.history_cleared_at is 'When the user last cleared the history; null for never. What was listened to before is not listed.';
alter table listening_progress add column history_removed_at timestamptz;
comment on column listening_progress.history_removed_at is 'When the user last removed the track from the history; null for never, or after an undo.';
