-- The portal's schema. Durations and positions are seconds; image and audio columns are keys of the media store.
-- Comments are part of the schema: psql shows them with \d+.

-- Users ---------------------------------------------------------------------------------------------------------------

create table users (
  id uuid primary key default gen_random_uuid(),
  subject text not null unique,
  platform text check (platform in ('bitel', 'entel', 'cnt', 'antel')),
  email text,
  first_name text not null default '',
  last_name text not null default '',
  has_custom_names boolean not null default false,
  language text check (language in ('en', 'es')),
  theme text check (theme in ('dark', 'light')),
  level text check (level in ('A1', 'A2', 'B1', 'B2', 'C1', 'C2')),
  learning_language text check (learning_language in ('en', 'es')),
  operator_checked_at timestamptz,
  operator_ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table users is 'One row per person who signed in. Plural, because "user" is a reserved word.';
comment on column users.subject is 'The "sub" claim of the identity provider, or "operator:<platform>:<id>" for an operator''s subscriber.';
comment on column users.platform is 'The mobile operator the user signs in with; null for users of the identity provider.';
comment on column users.has_custom_names is 'The user edited the names in the settings; sign-in no longer overwrites them.';
comment on column users.language is 'Interface language; null until the user chooses one. The same holds for theme, level and learning_language.';
comment on column users.operator_checked_at is 'When the operator was last asked for the state of the subscription; operator users only.';
comment on column users.operator_ended_at is 'When the operator first reported that the subscription had ended; null while it is active.';

create table used_operator_link (
  platform text not null check (platform in ('bitel', 'entel', 'cnt', 'antel')),
  fingerprint text not null,
  expires_at timestamptz not null,
  primary key (platform, fingerprint)
);
-- Deletes expired rows at each sign-in.
create index used_operator_link_expiry on used_operator_link (expires_at);
comment on table used_operator_link is 'Operator sign-in links that were used, so that each works once. Rows are deleted when the link has expired.';
comment on column used_operator_link.fingerprint is 'SHA-256 of the token or of the signed timestamp and nonce.';

create table deleted_user (
  subject_hash bytea primary key,
  deleted_at timestamptz not null,
  completed_at timestamptz
);
-- Deletes rows older than a day.
create index deleted_user_age on deleted_user (deleted_at);
comment on table deleted_user is 'Deleted users, stored until access tokens issued before the deletion have expired. Refuses these tokens instead of creating the user again.';
comment on column deleted_user.completed_at is 'When the accounts at the billing and the identity provider were deleted; null while the job is pending, which refuses new sign-ins of the same person.';
comment on column deleted_user.subject_hash is 'SHA-256 of users.subject, which does not reveal who the user was.';

-- Subscriptions -------------------------------------------------------------------------------------------------------

create table subscription_grant (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  store text not null,
  product text,
  expires_at timestamptz,
  unsubscribe_detected_at timestamptz,
  billing_issue_detected_at timestamptz,
  created_at timestamptz not null
);
create index subscription_grant_user on subscription_grant (user_id);
-- A user has at most one promotional grant without an end; granting it again does nothing.
create unique index subscription_grant_promotional on subscription_grant (user_id)
  where store = 'promotional' and expires_at is null;
create unique index subscription_grant_product on subscription_grant (user_id, product) where product is not null;
comment on table subscription_grant is 'Entitlements to premium content: one row per purchase, as the billing provider reports it, or promotional grant.';
comment on column subscription_grant.store is 'Where it was bought, in the billing provider''s terms; "promotional" for grants of our own.';
comment on column subscription_grant.product is 'The billing provider''s product id; null for grants of our own.';
comment on column subscription_grant.expires_at is 'Null when the grant does not end.';
comment on column subscription_grant.unsubscribe_detected_at is 'When renewal was turned off; null while it renews.';
comment on column subscription_grant.billing_issue_detected_at is 'When a renewal payment failed; null while payments succeed.';

create table subscription_sync (
  user_id uuid primary key references users on delete cascade,
  synced_at timestamptz not null
);
comment on table subscription_sync is 'When a user''s purchases were last read from the billing provider. The row is locked during the request, so that concurrent reads are written in order.';

-- Catalogue -----------------------------------------------------------------------------------------------------------

create table narrator (
  name text primary key,
  image text
);
comment on table narrator is 'People who narrate articles.';

create table article (
  id uuid primary key,
  slug text not null unique,
  title text not null,
  summary text not null,
  kind text not null check (kind in ('article', 'audiobook', 'visual-book')),
  language text not null check (language in ('en', 'es')),
  translation_language text check (translation_language in ('en', 'es')),
  level text not null check (level in ('A1', 'A2', 'B1', 'B2', 'C1', 'C2')),
  topic text not null,
  narrator text not null references narrator on update cascade,
  image text not null,
  artwork text not null,
  audio text not null,
  duration double precision not null check (duration > 0),
  loudness double precision,
  estimated boolean not null default false,
  chapters jsonb not null default '[]',
  pages jsonb not null default '[]',
  source text unique,
  source_audio_hash text,
  source_stamp text not null,
  content_hash text not null,
  edited_columns jsonb not null default '{}',
  published_at timestamptz not null
);
-- Lists of the catalogue by one filter, newest first, with keyset pagination. Every list is of one language.
create index article_newest on article (language, published_at desc, id desc);
create index article_by_kind on article (kind, language, published_at desc, id desc);
create index article_by_topic on article (topic, language, published_at desc, id desc);
create index article_by_level on article (level, language, published_at desc, id desc);
create index article_by_narrator on article (narrator, language, published_at desc, id desc);
-- Has this recording been imported before?
create index article_source_audio on article (source_audio_hash) where source_audio_hash is not null;
comment on table article is 'Everything one can listen to: articles, audiobooks and visual books.';
comment on column article.id is 'Derived from the slug, so that a second import updates the same row.';
comment on column article.level is 'Level of the Common European Framework of Reference for Languages.';
comment on column article.image is 'Small cover, for lists.';
comment on column article.artwork is 'Large cover, for the player and the lock screen.';
comment on column article.loudness is 'Integrated loudness of the audio in LUFS (EBU R128); null where it could not be measured.';
comment on column article.estimated is 'The times of the sentences were estimated from pauses and text length instead of being known.';
comment on column article.chapters is '[{title, start}]';
comment on column article.pages is '[{title, start, alt, image}], visual books only.';
comment on column article.source is 'Where an imported article was read from; null for articles of the demo library.';
comment on column article.source_audio_hash is 'SHA-256 of the imported audio file; null for articles of the demo library.';
comment on column article.source_stamp is 'Sizes and modification times of the source files: a cheap comparison that skips unchanged sources.';
comment on column article.content_hash is 'Hash of the content of the source files.';
comment on column article.edited_columns is '{column: value} that an administrator edited; a later import does not overwrite these columns.';

create table sentence (
  article_id uuid not null references article on delete cascade,
  number integer not null,
  text text not null,
  translation text,
  starts_at double precision not null,
  ends_at double precision not null,
  paragraph integer not null,
  chapter integer,
  page integer,
  primary key (article_id, number)
);
comment on table sentence is 'The text of an article with its times in the audio. number, paragraph, chapter and page count from 0.';

create table withdrawn_article (
  id uuid primary key,
  slug text not null unique,
  title text not null,
  source text unique,
  source_audio_hash text,
  withdrawn_at timestamptz not null
);
-- Was this recording withdrawn before?
create index withdrawn_article_source_audio on withdrawn_article (source_audio_hash) where source_audio_hash is not null;
comment on table withdrawn_article is 'Articles that an administrator removed from the catalogue; no import publishes them again. Columns as in article.';

create table withdrawn_row (
  article_id uuid not null references withdrawn_article on delete cascade,
  user_id uuid references users on delete cascade,
  table_name text not null,
  "row" jsonb not null
);
create index withdrawn_row_article on withdrawn_row (article_id, table_name);
create index withdrawn_row_user on withdrawn_row (user_id);
comment on table withdrawn_row is 'The rows of a withdrawn article and all rows that referenced it, restored when it is published again.';
comment on column withdrawn_row.user_id is 'The user the row belongs to, with whose account it is deleted; null for rows of the catalogue.';

-- Playlists -----------------------------------------------------------------------------------------------------------

create table playlist (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid references users on delete cascade,
  name text not null,
  origin text not null check (origin in ('system', 'user', 'auto')),
  titles jsonb,
  active boolean not null default true,
  sort_order integer not null default 0,
  total_tracks integer not null default 0,
  total_duration double precision not null default 0,
  min_sort_key bigint not null default 0,
  max_sort_key bigint not null default 0,
  content_hash text,
  created_at timestamptz not null,
  check ((origin = 'system') = (owner_id is null)),
  constraint playlist_size check (owner_id is null or total_tracks <= 20000)
);
create index playlist_by_owner on playlist (owner_id, created_at desc, id desc);
-- The rows of Discover.
create index playlist_system on playlist (sort_order, id) where owner_id is null;
-- A user has one playlist of favourites.
create unique index playlist_favourites on playlist (owner_id) where origin = 'auto' and name = 'default';
comment on table playlist is 'Playlists of the system, which every user may read, and of users.';
comment on column playlist.owner_id is 'Null for system playlists.';
comment on column playlist.origin is '"system", "user" (created by the owner) or "auto" (the owner''s favourites).';
comment on column playlist.titles is '{en, es}, system playlists only.';
comment on column playlist.sort_order is 'Order of the system playlists on Discover.';
comment on column playlist.total_tracks is 'Maintained by triggers, like total_duration, so that lists of playlists need not count tracks.';
comment on column playlist.min_sort_key is 'No track has a smaller sort_key. New tracks take the next number below it or above max_sort_key, under the lock of this row.';
comment on column playlist.max_sort_key is 'No track has a greater sort_key.';
comment on column playlist.content_hash is 'Hash of the source of a system playlist.';

create table playlist_item (
  playlist_id uuid not null references playlist on delete cascade,
  article_id uuid not null references article,
  sort_key numeric not null,
  added_at timestamptz not null,
  primary key (playlist_id, article_id)
);
create index playlist_item_order on playlist_item (playlist_id, sort_key, article_id);
create index playlist_item_article on playlist_item (article_id);
comment on table playlist_item is 'The tracks of the playlists.';
comment on column playlist_item.sort_key is 'Order in the playlist: integers at both ends, fractions between them, so that moving a track updates one row.';

create function count_added_items() returns trigger language plpgsql set search_path from current as $$
begin
  update playlist
    set total_tracks = total_tracks + added.tracks, total_duration = total_duration + added.duration
    from (
      select playlist_id, count(*)::integer as tracks, sum(article.duration) as duration
      from added_item join article on article.id = article_id group by playlist_id
    ) added
    where playlist.id = added.playlist_id;
  return null;
end $$;
create trigger playlist_item_added after insert on playlist_item
  referencing new table as added_item for each statement execute function count_added_items();

create function count_removed_items() returns trigger language plpgsql set search_path from current as $$
begin
  update playlist
    set total_tracks = total_tracks - removed.tracks,
      -- Sums of floating-point numbers drift; an empty playlist lasts exactly 0 seconds.
      total_duration = case when total_tracks = removed.tracks then 0 else total_duration - removed.duration end
    from (
      select playlist_id, count(*)::integer as tracks, sum(article.duration) as duration
      from removed_item join article on article.id = article_id group by playlist_id
    ) removed
    where playlist.id = removed.playlist_id;
  return null;
end $$;
create trigger playlist_item_removed after delete on playlist_item
  referencing old table as removed_item for each statement execute function count_removed_items();

create function count_changed_duration() returns trigger language plpgsql set search_path from current as $$
begin
  update playlist
    set total_duration = total_duration + new.duration - old.duration
    where id in (select playlist_id from playlist_item where article_id = new.id);
  return null;
end $$;
create trigger article_duration_changed after update of duration on article
  for each row when (old.duration is distinct from new.duration) execute function count_changed_duration();

-- Listening -----------------------------------------------------------------------------------------------------------

create table listening_event (
  user_id uuid not null references users on delete cascade,
  device_id uuid not null,
  sequence bigint not null,
  article_id uuid not null,
  position double precision not null,
  cause text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  primary key (user_id, device_id, sequence)
);
-- The device's latest event for a track.
create index listening_event_article on listening_event (article_id, user_id, device_id, sequence desc);
-- Listening statistics of a period.
create index listening_event_occurred on listening_event (user_id, occurred_at);
-- Number of finished articles.
create index listening_event_ended on listening_event (user_id, article_id) where cause = 'ended';
comment on table listening_event is 'Append-only log of the progress events that devices report. Statistics are computed from it. article_id is no foreign key: the log outlives the article.';
comment on column listening_event.sequence is 'Counts up per device; an event that is sent twice is stored once.';
comment on column listening_event.position is 'Where in the track it happened.';
comment on column listening_event.cause is 'What the player did: play, pause, tick, seek, skip, ended, hide …';
comment on column listening_event.occurred_at is 'By the device''s clock, at most received_at.';

create table listening_progress (
  user_id uuid not null references users on delete cascade,
  article_id uuid not null references article,
  position double precision not null,
  in_continue_listening boolean not null,
  in_history boolean not null default true,
  device_id uuid,
  device_kind text check (device_kind in ('phone', 'tablet', 'computer')),
  listened_at timestamptz not null,
  primary key (user_id, article_id)
);
-- Continue listening, most recent first.
create index listening_progress_continue on listening_progress (user_id, listened_at desc, article_id) where in_continue_listening;
-- The history, most recent first.
create index listening_progress_history on listening_progress (user_id, listened_at desc, article_id) where in_history;
create index listening_progress_article on listening_progress (article_id);
comment on table listening_progress is 'A user''s saved position in a track, merged from the events of all devices.';
comment on column listening_progress.in_continue_listening is 'Shown in Continue listening.';
comment on column listening_progress.in_history is 'Shown in the history. Clearing the history sets it to false; the position stays.';
comment on column listening_progress.device_id is 'The device that wrote the position; null where unknown. The same holds for device_kind.';
comment on column listening_progress.listened_at is 'When the position was last written.';

create table bookmark (
  user_id uuid not null references users on delete cascade,
  id uuid not null,
  article_id uuid not null references article on delete cascade,
  position double precision not null,
  note text not null,
  created_at timestamptz not null,
  primary key (user_id, id)
);
-- The bookmarks of a track in the order of the track.
create index bookmark_order on bookmark (user_id, article_id, position, id);
create index bookmark_article on bookmark (article_id);
comment on table bookmark is 'Positions in a track that users marked, with an optional note.';
comment on column bookmark.id is 'Chosen by the device, therefore unique per user only.';

-- Notifications -------------------------------------------------------------------------------------------------------

create table notification (
  id uuid primary key default gen_random_uuid(),
  title_en text not null,
  title_es text not null,
  body_en text not null,
  body_es text not null,
  created_at timestamptz not null,
  retracted_at timestamptz
);
create index notification_newest on notification (created_at desc, id desc);
comment on table notification is 'Announcements to all users, in both languages.';
comment on column notification.retracted_at is 'When it was retracted. The row stays, so that its key does not publish it again.';

create function announce_notification() returns trigger language plpgsql as $$
begin
  perform pg_notify('portal_notification', new.id::text);
  return null;
end $$;
comment on function announce_notification is 'Notifies every process with open event streams of a new notification.';
create trigger notification_announced after insert on notification
  for each row execute function announce_notification();

-- Search --------------------------------------------------------------------------------------------------------------

create function search_text(written text) returns text language sql immutable parallel safe as $$
  select trim(regexp_replace(translate(lower(unaccent(normalize(written, nfc))), '''’', ''), '[^[:alnum:]]+', ' ', 'g'))
$$;
comment on function search_text is 'Normalizes text for search: lower-case words without accents and apostrophes, separated by one space.';

create function search_stem(of_language text, word text) returns text language sql immutable parallel safe as $$
  select coalesce((case of_language
    when 'es' then ts_lexize('spanish_stem', word)
    else ts_lexize('english_stem', word)
  end)[1], word)
$$;
comment on function search_stem is 'Returns the stem that a word shares with its inflections.';

create function search_sound(word text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    translate(
      regexp_replace(regexp_replace(regexp_replace(
        replace(replace(replace(word, 'qu', 'k'), 'll', 'y'), 'ph', 'f'),
        'c(?=[eiy])', 's', 'g'), '(?<![cst])h', '', 'g'), 'g(?=[ei])', 'j', 'g'),
      'vzc', 'bsk'),
    '(.)\1+', '\1', 'g')
$$;
comment on function search_sound is 'Returns the pronunciation of a word, by the rules of Spanish more than of English: gallo and gayo, giraffe and girafe are equal.';

create function search_keys(word text) returns text[] language sql immutable parallel safe as $$
  select array(
    select distinct case deleted when 0 then sound else left(sound, deleted - 1) || substr(sound, deleted + 1) end
    from search_sound(word) sound
      cross join generate_series(0, case when length(sound) between 4 and 20 then length(sound) else 0 end) deleted
  )
$$;
comment on function search_keys is 'Returns the pronunciation of a word and every variant with one letter deleted. Words that are one typing mistake apart share a key.';

create table topic_word (
  topic text primary key,
  words text not null
);
-- packages/database/src/backup may overwrite tables with this comment when it restores.
comment on table topic_word is 'filled by migrations';
comment on column topic_word.words is 'Words by which users search for the topic, in addition to its name.';
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

create function search_partitions(tags text[], number bigint) returns text[] language sql immutable parallel safe as $$
  select tags || array['p8:' || number / 8192, 'p64:' || number / 65536]
$$;
comment on function search_partitions is 'Returns the tags of a document and its larger partitions: p8:60 holds 8 partitions of level p1, p64:7 holds 64, so that a few tags name any range of the newest documents.';

create table search_document (
  article_id uuid primary key references article on delete cascade,
  number bigint not null unique,
  language text not null,
  title text collate "C" not null,
  tags text[] not null,
  head tsvector not null,
  body tsvector not null
);
create index search_document_title on search_document (title);
-- Without pending lists, which every search would have to read.
create index search_document_head on search_document using gin (search_partitions(tags, number), head) with (fastupdate = off);
create index search_document_body on search_document using gin (search_partitions(tags, number), body) with (fastupdate = off);
create sequence search_document_number owned by search_document.number;
comment on table search_document is 'The search index: one document per article (CAT-03), written by index_articles.';
comment on column search_document.number is 'Counts up in the order in which articles were added.';
comment on column search_document.title is 'Normalized by search_text.';
comment on column search_document.tags is '"level:B1" and the like, for filters; "p1:7" is the partition of 1,024 consecutive numbers.';
comment on column search_document.head is 'Title (weight A), narrator (B), topic, kind and level (C).';
comment on column search_document.body is 'The head, the summary and the text.';

-- A narrow table with room for updates in place, because the triggers below update it with every article.
create table vocabulary (
  word text collate "C" not null,
  language text not null,
  documents integer not null,
  heads integer not null,
  primary key (word, language)
) with (fillfactor = 60);
comment on table vocabulary is 'Every word with the number of documents, and of heads of documents, that hold it. Maintained by triggers.';

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
comment on table word_form is 'Stem and spelling keys of every word, by which inflections and corrections are found. Written once per word.';

create table catalogue_count (
  tag text not null,
  language text not null,
  documents integer not null,
  primary key (tag, language)
) with (fillfactor = 80);
comment on table catalogue_count is 'The number of documents per tag, and of all documents under the tag "". Maintained by triggers.';

create function count_added_documents() returns trigger language plpgsql set search_path from current
set plan_cache_mode = 'force_custom_plan' as $$
begin
  -- One writer at a time: two articles update the same words in different orders, which would deadlock.
  perform pg_advisory_xact_lock(hashtext('portal search'));
  with occurrence as materialized (
    select w.lexeme collate "C" as word, d.language, count(*) as documents,
      count(*) filter (where w.weights[1] <> 'D') as heads
    from changed d cross join unnest(d.body) w
    where length(w.lexeme) <= 40
    group by 1, 2
  ), added_form as (
    insert into word_form (word, language, stem, keys)
      select word, language, search_stem(language, word), search_keys(word)
      from occurrence o where not exists (
        select from word_form f where f.word = o.word and f.language = o.language
      )
  )
  insert into vocabulary as v (word, language, documents, heads)
    select word, language, documents, heads from occurrence
    on conflict (word, language) do update
      set documents = v.documents + excluded.documents, heads = v.heads + excluded.heads;
  insert into catalogue_count as c (tag, language, documents)
    select tag, language, count(*)
    from changed cross join unnest(tags || '{""}') tag
    where tag not like 'p1:%'
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
  with occurrence as materialized (
    select w.lexeme collate "C" as word, d.language, count(*) as documents,
      count(*) filter (where w.weights[1] <> 'D') as heads
    from changed d cross join unnest(d.body) w
    group by 1, 2
  )
  update vocabulary v
    set documents = v.documents - o.documents, heads = v.heads - o.heads
    from occurrence o where v.word = o.word and v.language = o.language;
  with removed as (
    select tag, language, count(*) as documents
    from changed cross join unnest(tags || '{""}') tag
    group by tag, language
  )
  update catalogue_count c
    set documents = c.documents - r.documents
    from removed r where c.tag = r.tag and c.language = r.language;
  return null;
end $$;
create trigger search_document_removed after delete on search_document
  referencing old table as changed for each statement execute function count_removed_documents();

create function index_articles(articles uuid[]) returns void
language plpgsql set search_path from current
set plan_cache_mode = 'force_custom_plan' as $$
declare
  -- {article: number}: an article that is indexed again keeps its number.
  numbers jsonb;
begin
  with removed as (delete from search_document where article_id = any(articles) returning article_id, number)
    select coalesce(jsonb_object_agg(article_id, number), '{}') into numbers from removed;
  insert into search_document (article_id, number, language, title, tags, head, body)
    select id, number, language, title,
      array[
        'language:' || language, 'level:' || level, 'kind:' || kind, 'topic:' || topic, 'narrator:' || narrator,
        'length:' || case when duration < 120 then 'short' when duration < 600 then 'medium' else 'long' end,
        'p1:' || number / 1024
      ],
      head,
      -- Only the first half million characters of a book: the size of an index entry is limited.
      head || to_tsvector('simple', search_text(left(summary || ' ' || body, 500000)))
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
        coalesce((select string_agg(s.text, ' ' order by s.number) from sentence s where s.article_id = a.id), '') as body
      from article a left join topic_word t on t.topic = a.topic
      where a.id = any(articles)
      order by a.published_at, a.id
    ) article;
end $$;
comment on function index_articles is 'Replaces the search documents of articles. Call it in the transaction that writes the articles or their sentences.';
