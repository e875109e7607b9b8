import type { Heard, Track } from '@escucho/contracts';

/** The history as a source of its own. */
export const historySource = { name: 'History', playlist: null };

/** Something heard as a track to play. */
export const asTrack = (heard: Heard): Track => ({
  _id: heard._id,
  url: heard.audio,
  title: heard.title,
  artist: heard.narrator.name,
  artwork: heard.artwork,
  loudness: heard.loudness,
  duration: heard.duration,
  progress: heard.progress,
  like: false,
  image: heard.image,
  source: historySource.name,
  playlist: historySource.playlist,
  kind: heard.kind,
  language: heard.language,
  level: heard.level,
  topic: heard.topic,
});
