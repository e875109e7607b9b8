-- A deleted playlist can be restored for an hour (LIST-05). The next deletion of any playlist removes older ones.
alter table playlist add column deleted_at timestamptz;
create index playlist_deleted on playlist (deleted_at) where deleted_at is not null;
comment on column playlist.deleted_at is 'When its owner deleted it; such a playlist is not listed, read or changed.';
