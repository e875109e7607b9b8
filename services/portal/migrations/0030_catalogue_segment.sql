-- Without counts, a jump far into a list reads its index up to there.
create table catalogue_segment (
  tag text not null,
  language text not null,
  before_at timestamptz not null,
  before_id uuid not null,
  articles integer not null,
  primary key (tag, language, before_at, before_id)
) with (fillfactor = 80);
comment on table catalogue_segment is 'The number of articles per list in each segment of the catalogue, newest first. Maintained by triggers.';
comment on column catalogue_segment.tag is 'As in catalogue_count. The tag "" with the language "" has every segment, with the number of all its articles.';
comment on column catalogue_segment.before_at is 'The segment has the articles older than (before_at, before_id), down to the next segment''s. The first is infinite.';

create function article_lists(kind text, topic text, level text, narrator text) returns text[] language sql immutable parallel safe as $$
  select array['', 'kind:' || kind, 'topic:' || topic, 'level:' || level, 'narrator:' || narrator]
$$;
comment on function article_lists is 'Returns the tags of the lists that an article is in.';

create function split_segment(segment_at timestamptz, segment_id uuid) returns void language plpgsql set search_path from current as $$
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
    select list.tag, list.language, segment.published_at, segment.id, count(*)
    from numbered join segment on segment.number = numbered.number / 1000 cross join lateral (
      select '', '' union all select unnest(lists), numbered.language
    ) list (tag, language)
    group by 1, 2, 3, 4;
end $$;
comment on function split_segment is 'Divides a segment into segments of 1,000 articles.';

create function count_in_segments() returns trigger language plpgsql set search_path from current as $$
begin
  -- One writer at a time, in the same order as in the triggers of search_document.
  perform pg_advisory_xact_lock(hashtext('portal search'));
  execute format($query$
    insert into catalogue_segment as s (tag, language, before_at, before_id, articles)
      select list.tag, list.language, segment.before_at, segment.before_id, sum(changed.change)
      from (%s) changed cross join lateral (
        (
          select before_at, before_id from catalogue_segment
          where tag = '' and language = '' and (before_at, before_id) > (changed.published_at, changed.id)
          order by before_at, before_id limit 1
        )
        union all select 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
        order by 1, 2 limit 1
      ) segment cross join lateral (
        select '', ''
        union all
        select unnest(article_lists(changed.kind, changed.topic, changed.level, changed.narrator)), changed.language
      ) list (tag, language)
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
create trigger article_added_to_segment after insert on article
  referencing new table as added for each statement execute function count_in_segments();
create trigger article_moved_in_segments after update on article
  referencing old table as removed new table as added for each statement execute function count_in_segments();
create trigger article_removed_from_segment after delete on article
  referencing old table as removed for each statement execute function count_in_segments();

-- Takes the lock first, since who changes an article holds it already.
create or replace function count_catalogue_change() returns trigger language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock(hashtext('portal search'));
  update catalogue_version set version = version + 1;
  return null;
end $$;

select split_segment('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff');
