-- Places that readers marked. The device makes the id, which is why it is one reader's only.
create table bookmark (
  user_id uuid not null references users on delete cascade,
  id uuid not null,
  article_id uuid not null references article on delete cascade,
  -- Seconds.
  position double precision not null,
  note text not null,
  created_at timestamptz not null,
  primary key (user_id, id)
);
create index bookmark_in_order on bookmark (user_id, article_id, position, id);
create index bookmark_article on bookmark (article_id);
