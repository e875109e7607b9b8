-- What a document is found by beside its words: its tags, and the larger places its shelf stands in (`case:60` holds 8 shelves,
-- `room:7` 8 cases), so that any number of the newest shelves is named by a few of them.
create function search_places(tags text[], number bigint) returns text[] language sql immutable parallel safe as $$
  select tags || array['case:' || number / 8192, 'room:' || number / 65536]
$$;

-- A large catalogue is read through once for each.
set local maintenance_work_mem = '256MB';
drop index search_document_head;
drop index search_document_body;
create index search_document_head on search_document using gin (search_places(tags, number), head) with (fastupdate = off);
create index search_document_body on search_document using gin (search_places(tags, number), body) with (fastupdate = off);
-- How common each place is, for the plans.
analyze search_document;
