-- A skip changes Continue listening, but is no listening: listened_at stays. Adding the column does not rewrite the table.
alter table listening_progress add column updated_at timestamptz;
comment on column listening_progress.updated_at is 'When an entry of a device last changed the row. Null in rows that were last changed before this column existed; then listened_at holds.';
comment on column listening_progress.listened_at is 'When the track was last listened to, or sought in.';
comment on column listening_progress.in_history is 'Shown in the history, since the track was listened to. Clearing the history sets it to false; the position stays.';
