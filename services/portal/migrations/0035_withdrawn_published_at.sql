-- Adding the column does not rewrite the table.
alter table withdrawn_article add column published_at timestamptz;
update withdrawn_article w set published_at = (r."row" ->> 'published_at')::timestamptz
  from withdrawn_row r where r.article_id = w.id and r.table_name = 'article';
comment on column withdrawn_article.published_at is 'Where a list continues whose page ended with the article. Null for articles that were removed before this column existed.';
