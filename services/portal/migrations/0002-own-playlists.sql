-- Where a track stands in its playlist: whole numbers at both ends, fractions between them, so that a track can be moved
-- without touching the others.
alter table playlist_item alter column place type numeric;

-- No place lies outside of these. Who adds takes the next number on from here, under the lock of this row.
alter table playlist
  add column first_place bigint not null default 0,
  add column last_place bigint not null default 0;
update playlist set last_place = ends.last
  from (select playlist_id, max(place) as last from playlist_item group by playlist_id) ends
  where ends.playlist_id = playlist.id;

-- How much a reader's playlist holds; the triggers that count its tracks run into this.
alter table playlist add constraint playlist_size check (owner_id is null or total_tracks <= 20000);
