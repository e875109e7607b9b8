alter table bookmark add column search_note text;
update bookmark set search_note = search_text(note);
alter table bookmark alter column search_note set not null;
comment on column bookmark.search_note is 'The note, normalized by search_text. Maintained by a trigger.';

-- No generated column, because withdrawn bookmarks are restored with the values of all columns.
create function normalize_bookmark_note() returns trigger language plpgsql set search_path from current as $$
begin
  new.search_note = search_text(new.note);
  return new;
end $$;
comment on function normalize_bookmark_note is 'Sets search_note, by which the note is found.';
create trigger bookmark_note_written before insert or update of note on bookmark
  for each row execute function normalize_bookmark_note();
