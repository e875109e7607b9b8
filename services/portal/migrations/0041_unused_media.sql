-- A file is deleted only some days after it was found unused: until then users may have its signed URL.
create table unused_media (
  key text primary key,
  found_at timestamptz not null
);
comment on table unused_media is 'Files of the media store that no article uses, until one is written that does.';
comment on column unused_media.key is 'As image, artwork and audio in article.';
comment on column unused_media.found_at is 'When the command clean found it unused first.';
