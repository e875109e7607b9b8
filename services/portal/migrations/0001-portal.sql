-- Readers, one for each subject of the identity provider. (`user` is a reserved word.)
create table users (
  id uuid primary key default gen_random_uuid(),
  subject text not null unique,
  email text,
  first_name text not null default '',
  last_name text not null default '',
  -- Set for the operators' readers only.
  platform text check (platform in ('bitel', 'entel', 'cnt', 'antel')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- What entitles a reader to listen: one row for each purchase or gift.
create table subscription_grant (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  store text not null,
  expires_at timestamptz,
  unsubscribe_detected_at timestamptz,
  billing_issue_detected_at timestamptz,
  created_at timestamptz not null
);
create index subscription_grant_user on subscription_grant (user_id);
-- A gift without an end is given once, however often it is asked for.
create unique index subscription_grant_gift on subscription_grant (user_id)
  where store = 'promotional' and expires_at is null;

-- Pictures and audio are keys of the media store, here and below.
create table narrator (
  name text primary key,
  image text
);

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
  -- Seconds.
  duration double precision not null check (duration > 0),
  -- [{title, start}], seconds.
  chapters jsonb not null default '[]',
  -- [{title, start, alt, image}], seconds.
  pages jsonb not null default '[]',
  -- What it was read from: the files as they lay there, and what was in them. The first is quick to compare.
  source_stamp text not null,
  content_hash text not null,
  published_at timestamptz not null
);
create index article_newest on article (published_at desc, id);
create index article_by_kind on article (kind, published_at desc, id);
create index article_by_topic on article (topic, published_at desc, id);
create index article_by_level on article (level, published_at desc, id);
create index article_by_narrator on article (narrator, published_at desc, id);

create table sentence (
  article_id uuid not null references article on delete cascade,
  -- Counts from 0, as paragraph, chapter and page do.
  number integer not null,
  text text not null,
  translation text,
  -- Seconds.
  starts_at double precision not null,
  ends_at double precision not null,
  paragraph integer not null,
  chapter integer,
  page integer,
  primary key (article_id, number)
);

create table playlist (
  id uuid primary key default gen_random_uuid(),
  -- Null for system playlists, which are everybody's to read.
  owner_id uuid references users on delete cascade,
  name text not null,
  origin text not null check (origin in ('system', 'user', 'auto')),
  -- {en, es}, system playlists only.
  titles jsonb,
  active boolean not null default true,
  -- The order of system playlists on Discover.
  place integer not null default 0,
  -- Kept by the triggers below, so that a list of playlists need not count their tracks.
  total_tracks integer not null default 0,
  total_duration double precision not null default 0,
  -- What a system playlist was read from.
  content_hash text,
  created_at timestamptz not null,
  check ((origin = 'system') = (owner_id is null))
);
create index playlist_by_owner on playlist (owner_id, created_at desc, id desc);
create index playlist_system on playlist (place, id) where owner_id is null;
-- The favourites.
create unique index playlist_default on playlist (owner_id) where origin = 'auto' and name = 'default';

create table playlist_item (
  playlist_id uuid not null references playlist on delete cascade,
  article_id uuid not null references article,
  place integer not null,
  added_at timestamptz not null,
  primary key (playlist_id, article_id)
);
create index playlist_item_in_order on playlist_item (playlist_id, place, article_id);
create index playlist_item_article on playlist_item (article_id);

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
      -- Sums of fractions drift; an empty playlist lasts exactly nothing.
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

-- What the devices reported, in their own order; rows are only ever added.
create table listening_entry (
  user_id uuid not null references users on delete cascade,
  device_id uuid not null,
  sequence bigint not null,
  article_id uuid not null references article,
  -- Seconds.
  position double precision not null,
  cause text not null,
  received_at timestamptz not null,
  primary key (user_id, device_id, sequence)
);
-- A device's newest entry for a track.
create index listening_entry_article on listening_entry (article_id, user_id, device_id, sequence desc);

-- Where a reader is in a track: what the entries come to.
create table listening_place (
  user_id uuid not null references users on delete cascade,
  article_id uuid not null references article,
  -- Seconds.
  position double precision not null,
  -- Whether it stands in continue listening.
  listed boolean not null,
  heard_at timestamptz not null,
  primary key (user_id, article_id)
);
create index listening_place_newest on listening_place (user_id, heard_at desc, article_id) where listed;
create index listening_place_article on listening_place (article_id);

-- For every reader, in both languages.
create table notification (
  id uuid primary key default gen_random_uuid(),
  title_en text not null,
  title_es text not null,
  body_en text not null,
  body_es text not null,
  created_at timestamptz not null
);
create index notification_newest on notification (created_at desc, id desc);
