-- A list of all languages has rows of its own, so that a jump reads the counts of one list in its order, up to the page.
lock table article in share row exclusive mode;
insert into catalogue_segment (tag, language, before_at, before_id, articles)
  select tag, '', before_at, before_id, sum(articles)
  from catalogue_segment where tag <> '' and language <> '' group by 1, 3, 4;
comment on column catalogue_segment.tag is 'As in catalogue_count. The tag "" has all articles; with the language "", it has every segment.';
comment on column catalogue_segment.language is 'As in article, or "" for all languages.';

create or replace function split_segment(segment_at timestamptz, segment_id uuid) returns void language plpgsql set search_path from current as $$
declare
  following record;
begin
  select before_at, before_id into following from catalogue_segment
    where tag = '' and language = '' and (before_at, before_id) < (segment_at, segment_id)
    order by before_at desc, before_id desc limit 1;
  delete from catalogue_segment where before_at = segment_at and before_id = segment_id;
  with numbered as (
    select published_at, id, language, article_lists(kind, topic, level, narrator) as lists,
      row_number() over (order by published_at desc, id desc) - 1 as number
    from article a
    where a.language in ('en', 'es') and (a.published_at, a.id) < (segment_at, segment_id)
      and (following is null or (a.published_at, a.id) >= (following.before_at, following.before_id))
  ), segment as (
    -- A segment ends before the oldest article of the previous one.
    select number / 1000 + 1 as number, published_at, id from numbered where number % 1000 = 999
    union all select 0, segment_at, segment_id
  )
  insert into catalogue_segment (tag, language, before_at, before_id, articles)
    select tag, list_language, segment.published_at, segment.id, count(*)
    from numbered join segment on segment.number = numbered.number / 1000
      cross join unnest(lists) tag cross join unnest(array['', numbered.language]) list_language
    group by 1, 2, 3, 4;
end $$;

create or replace function count_in_segments() returns trigger language plpgsql set search_path from current as $$
begin
  -- One writer at a time, in the same order as in the triggers of search_document.
  perform pg_advisory_xact_lock(hashtext('portal search'));
  execute format($query$
    insert into catalogue_segment as s (tag, language, before_at, before_id, articles)
      select tag, list_language, segment.before_at, segment.before_id, sum(changed.change)
      from (%s) changed cross join lateral (
        (
          select before_at, before_id from catalogue_segment
          where tag = '' and language = '' and (before_at, before_id) > (changed.published_at, changed.id)
          order by before_at, before_id limit 1
        )
        union all select 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
        order by 1, 2 limit 1
      ) segment cross join unnest(article_lists(changed.kind, changed.topic, changed.level, changed.narrator)) tag
        cross join unnest(array['', changed.language]) list_language
      group by 1, 2, 3, 4 having sum(changed.change) <> 0
      on conflict (tag, language, before_at, before_id) do update set articles = s.articles + excluded.articles
  $query$, case tg_op
    when 'INSERT' then 'select *, 1 as change from added'
    when 'DELETE' then 'select *, -1 as change from removed'
    else 'select *, 1 as change from added union all select *, -1 from removed'
  end);
  perform split_segment(before_at, before_id) from catalogue_segment
    where tag = '' and language = '' and articles > 2000;
  return null;
end $$;
