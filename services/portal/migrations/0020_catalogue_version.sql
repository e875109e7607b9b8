-- What all users see of the catalogue is cached by each process as long as this version is the same.
create table catalogue_version (
  version bigint not null default 1,
  is_only boolean primary key default true check (is_only)
);
insert into catalogue_version default values;
comment on table catalogue_version is 'One row, filled by migrations. The version grows with each change of an article or of a system playlist, in its transaction.';

create function count_catalogue_change() returns trigger language plpgsql set search_path from current as $$
begin
  update catalogue_version set version = version + 1;
  return null;
end $$;

create trigger article_changed after insert or update or delete on article
  for each statement execute function count_catalogue_change();

-- Adding and removing items updates the totals of their playlist.
create trigger system_playlist_changed after insert or update on playlist
  for each row when (new.owner_id is null) execute function count_catalogue_change();
create trigger system_playlist_deleted after delete on playlist
  for each row when (old.owner_id is null) execute function count_catalogue_change();
