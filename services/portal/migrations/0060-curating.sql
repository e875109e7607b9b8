alter table article
  -- Integrated loudness of the audio in LUFS (EBU R128); null where nobody could measure it.
  add column loudness double precision,
  -- Whether the sentences' times were worked out from silence and length instead of being known.
  add column estimated boolean not null default false,
  -- Where an imported article was read from, and the audio as it lay there (SHA-256); null for finished pieces.
  add column source text unique,
  add column source_audio text,
  -- What an editor changed by hand, by column; a new load of the same piece leaves it alone.
  add column edited jsonb not null default '{}';
create index article_source_audio on article (source_audio) where source_audio is not null;
-- The next load reads every finished piece again, and with it its loudness.
update article set source_stamp = '', content_hash = '';

-- Articles that were taken out of the catalogue; no load brings them back by itself.
create table withdrawn (
  id uuid primary key,
  slug text not null unique,
  title text not null,
  source text unique,
  source_audio text,
  withdrawn_at timestamptz not null,
  -- {table: [rows]}: the article and all that refers to it, to be put back; null once it was removed for good.
  kept jsonb
);
create index withdrawn_source_audio on withdrawn (source_audio) where source_audio is not null;

-- A journal tells what readers heard; it stays true when an article goes.
alter table listening_entry drop constraint listening_entry_article_id_fkey;
