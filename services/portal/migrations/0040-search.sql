-- Lists of the catalogue, newest first (keyset paging); one language after the other, for readers ask for one.
drop index article_newest;
drop index article_by_kind;
drop index article_by_topic;
drop index article_by_level;
drop index article_by_narrator;
create index article_newest on article (language, published_at desc, id desc);
create index article_by_kind on article (kind, language, published_at desc, id desc);
create index article_by_topic on article (topic, language, published_at desc, id desc);
create index article_by_level on article (level, language, published_at desc, id desc);
create index article_by_narrator on article (narrator, language, published_at desc, id desc);

-- Text as it is searched: words of lower-case letters without marks and of digits, a space between them. What is said with an
-- apostrophe is one word.
create function search_text(written text) returns text language sql immutable parallel safe as $$
  select trim(regexp_replace(translate(lower(unaccent(normalize(written, nfc))), '''’', ''), '[^[:alnum:]]+', ' ', 'g'))
$$;

-- What a word and its inflections have in common.
create function search_stem(of_language text, word text) returns text language sql immutable parallel safe as $$
  select coalesce((case of_language
    when 'es' then ts_lexize('spanish_stem', word)
    else ts_lexize('english_stem', word)
  end)[1], word)
$$;

-- How a word sounds to who writes by ear, Spanish more than English: gallo and gayo, giraffe and girafe are one.
create function search_sound(word text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    translate(
      regexp_replace(regexp_replace(regexp_replace(
        replace(replace(replace(word, 'qu', 'k'), 'll', 'y'), 'ph', 'f'),
        'c(?=[eiy])', 's', 'g'), '(?<![cst])h', '', 'g'), 'g(?=[ei])', 'j', 'g'),
      'vzc', 'bsk'),
    '(.)\1+', '\1', 'g')
$$;

-- What words that are one typing mistake apart have in common: the sound of the word, and the same with one letter less.
create function search_keys(word text) returns text[] language sql immutable parallel safe as $$
  select array(
    select distinct case place when 0 then sound else left(sound, place - 1) || substr(sound, place + 1) end
    from search_sound(word) sound
      cross join generate_series(0, case when length(sound) between 4 and 20 then length(sound) else 0 end) place
  )
$$;

-- How readers call the topics, beside their own names.
create table topic_word (
  topic text primary key,
  words text not null
);
-- What a restore may replace unasked (packages/database/src/backup).
comment on table topic_word is 'filled by migrations';
insert into topic_word (topic, words) values
  ('culture', 'cultura'),
  ('daily-life', 'everyday vida diaria cotidiana'),
  ('food', 'cooking comida cocina'),
  ('history', 'historia'),
  ('nature', 'naturaleza animals animales'),
  ('science', 'ciencia'),
  ('stories', 'story fiction cuentos historias ficción'),
  ('technology', 'tecnología'),
  ('travel', 'viajes viajar');

-- What is searched of an article (CAT-03).
create table search_document (
  article_id uuid primary key references article on delete cascade,
  -- In the order in which articles came.
  number bigint not null unique,
  language text not null,
  -- The title as it is searched.
  title text collate "C" not null,
  -- `level:B1` and the like, for filters; `shelf:7` stands for 1,024 articles that came one after the other.
  tags text[] not null,
  -- Title (A), narrator (B), topic, kind and level (C).
  head tsvector not null,
  -- The same, summary and text.
  body tsvector not null
);
create index search_document_title on search_document (title);
-- Without lists of pending entries, which every search would have to read.
create index search_document_head on search_document using gin (tags, head) with (fastupdate = off);
create index search_document_body on search_document using gin (tags, body) with (fastupdate = off);
create sequence search_document_number owned by search_document.number;

-- In how many documents a word stands, and in how many of their heads; kept by the triggers below, and narrow, for it changes
-- all the time.
create table vocabulary (
  word text collate "C" not null,
  language text not null,
  documents integer not null,
  heads integer not null,
  primary key (word, language)
) with (fillfactor = 60);

-- How words are found that are not written as they were asked for; once for each word.
create table word_form (
  word text collate "C" not null,
  language text not null,
  stem text collate "C" not null,
  keys text[] not null,
  primary key (word, language)
);
create index word_form_stem on word_form (stem, language);
create index word_form_keys on word_form using gin (keys) with (fastupdate = off);
create index word_form_similar on word_form using gin (word gin_trgm_ops) with (fastupdate = off);

-- How many documents have a tag, or are there at all (''); kept by the triggers below.
create table catalogue_count (
  tag text not null,
  language text not null,
  documents integer not null,
  primary key (tag, language)
) with (fillfactor = 80);

create function count_added_documents() returns trigger language plpgsql set search_path from current
set plan_cache_mode = 'force_custom_plan' as $$
begin
  -- One writer at a time: the words of two articles are the same rows, and come in no common order.
  perform pg_advisory_xact_lock(hashtext('portal search'));
  with said as materialized (
    select w.lexeme collate "C" as word, d.language, count(*) as documents,
      count(*) filter (where w.weights[1] <> 'D') as heads
    from changed d cross join unnest(d.body) w
    where length(w.lexeme) <= 40
    group by 1, 2
  ), formed as (
    insert into word_form (word, language, stem, keys)
      select word, language, search_stem(language, word), search_keys(word)
      from said where not exists (
        select from word_form f where f.word = said.word and f.language = said.language
      )
  )
  insert into vocabulary as v (word, language, documents, heads)
    select word, language, documents, heads from said
    on conflict (word, language) do update
      set documents = v.documents + excluded.documents, heads = v.heads + excluded.heads;
  insert into catalogue_count as c (tag, language, documents)
    select tag, language, count(*)
    from changed cross join unnest(tags || '{""}') tag
    where tag not like 'shelf:%'
    group by tag, language
    on conflict (tag, language) do update set documents = c.documents + excluded.documents;
  return null;
end $$;
create trigger search_document_added after insert on search_document
  referencing new table as changed for each statement execute function count_added_documents();

create function count_removed_documents() returns trigger language plpgsql set search_path from current
set plan_cache_mode = 'force_custom_plan' as $$
begin
  perform pg_advisory_xact_lock(hashtext('portal search'));
  with said as materialized (
    select w.lexeme collate "C" as word, d.language, count(*) as documents,
      count(*) filter (where w.weights[1] <> 'D') as heads
    from changed d cross join unnest(d.body) w
    group by 1, 2
  )
  update vocabulary v
    set documents = v.documents - said.documents, heads = v.heads - said.heads
    from said where v.word = said.word and v.language = said.language;
  with gone as (
    select tag, language, count(*) as documents
    from changed cross join unnest(tags || '{""}') tag
    group by tag, language
  )
  update catalogue_count c
    set documents = c.documents - gone.documents
    from gone where c.tag = gone.tag and c.language = gone.language;
  return null;
end $$;
create trigger search_document_removed after delete on search_document
  referencing old table as changed for each statement execute function count_removed_documents();

-- Makes the documents of articles anew. In: the articles. Call it in the transaction that writes them or their sentences.
create function index_articles(articles uuid[]) returns void
language plpgsql set search_path from current
set plan_cache_mode = 'force_custom_plan' as $$
declare
  -- {article: number}: what comes again keeps its number.
  numbers jsonb;
begin
  with gone as (delete from search_document where article_id = any(articles) returning article_id, number)
    select coalesce(jsonb_object_agg(article_id, number), '{}') into numbers from gone;
  insert into search_document (article_id, number, language, title, tags, head, body)
    select id, number, language, title,
      array[
        'language:' || language, 'level:' || level, 'kind:' || kind, 'topic:' || topic, 'narrator:' || narrator,
        'length:' || case when duration < 120 then 'short' when duration < 600 then 'medium' else 'long' end,
        'shelf:' || number / 1024
      ],
      head,
      -- A book of more than half a million characters is searched by its beginning: an index entry has its limit.
      head || to_tsvector('simple', search_text(left(summary || ' ' || spoken, 500000)))
    from (
      select a.id, a.language, a.level, a.kind, a.topic, a.narrator, a.duration, a.summary,
        coalesce((numbers ->> a.id::text)::bigint, nextval('search_document_number')) as number,
        search_text(a.title) as title,
        setweight(to_tsvector('simple', search_text(a.title)), 'A')
          || setweight(to_tsvector('simple', search_text(a.narrator)), 'B')
          || setweight(to_tsvector('simple', search_text(concat_ws(' ', a.topic, t.words, a.level, case a.kind
            when 'audiobook' then 'audiobook audiolibro'
            when 'visual-book' then 'visual picture book libro ilustrado'
            else 'article artículo'
          end))), 'C') as head,
        coalesce((select string_agg(s.text, ' ' order by s.number) from sentence s where s.article_id = a.id), '') as spoken
      from article a left join topic_word t on t.topic = a.topic
      where a.id = any(articles)
      order by a.published_at, a.id
    ) article;
end $$;

select index_articles(array(select id from article));
