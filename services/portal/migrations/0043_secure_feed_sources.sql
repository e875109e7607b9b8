-- A feed whose link changes from http to https is the same one. Two articles that were imported from both stay as they are.
update article a set source = 'feed:https:' || substr(source, 11)
where source like 'feed:http:%'
  and not exists (select from article where source = 'feed:https:' || substr(a.source, 11))
  and not exists (select from withdrawn_article where source = 'feed:https:' || substr(a.source, 11));
update withdrawn_article w set source = 'feed:https:' || substr(source, 11)
where source like 'feed:http:%'
  and not exists (select from article where source = 'feed:https:' || substr(w.source, 11))
  and not exists (select from withdrawn_article where source = 'feed:https:' || substr(w.source, 11));
update withdrawn_row r set "row" = r."row" || jsonb_build_object('source', w.source)
from withdrawn_article w
where r.article_id = w.id and r.table_name = 'article' and w.source = 'feed:https:' || substr(r."row" ->> 'source', 11);
update skipped_recording s set source = 'feed:https:' || substr(source, 11)
where source like 'feed:http:%'
  and not exists (select from skipped_recording where source = 'feed:https:' || substr(s.source, 11));
