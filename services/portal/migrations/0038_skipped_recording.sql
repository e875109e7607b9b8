-- Without the hash of its audio, each import would download such an episode of a feed again.
create table skipped_recording (
  source text primary key,
  stamp text not null,
  audio_hash text not null
);
comment on table skipped_recording is 'Recordings that are no articles, because another article, published or withdrawn, has the same audio.';
comment on column skipped_recording.source is 'As in article.';
comment on column skipped_recording.stamp is 'Changes when one of the files of the recording may have changed.';
comment on column skipped_recording.audio_hash is 'As source_audio_hash in article.';
