-- What a withdrawn article consists of and what refers to it, row by row, until it is published again. A reader's rows go
-- with the reader.
alter table withdrawn drop column kept;
create table set_aside (
  article_id uuid not null references withdrawn on delete cascade,
  user_id uuid references users on delete cascade,
  table_name text not null,
  "row" jsonb not null
);
create index set_aside_article on set_aside (article_id, table_name);
create index set_aside_user on set_aside (user_id);
