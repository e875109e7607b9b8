-- Null in events of earlier versions of the web app. Adding it does not rewrite the table.
alter table listening_event add column seconds_played double precision;
comment on column listening_event.seconds_played is 'How long the track has sounded since the device''s previous event for it, whatever the speed. Null where the device did not report it; then the positions count.';
