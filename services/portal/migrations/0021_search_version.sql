-- Search results are cached by each process as long as the version of the catalogue is the same.
create trigger search_document_changed after insert or update or delete on search_document
  for each statement execute function count_catalogue_change();
comment on table catalogue_version is 'One row, filled by migrations. The version grows with each change of an article, its search document or a system playlist, in its transaction.';
