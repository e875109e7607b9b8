-- Without it, each import would download an episode of a feed again that cannot be imported.
create table failed_recording (
  source text primary key,
  stamp text not null,
  reason text not null,
  failed_at timestamptz not null
);
comment on table failed_recording is 'Episodes of feeds that were downloaded but could not be imported.';
comment on column failed_recording.source is 'As in article.';
comment on column failed_recording.stamp is 'As source_stamp in article, of the article that it would have been.';
comment on column failed_recording.reason is 'The message for the person who imports.';
