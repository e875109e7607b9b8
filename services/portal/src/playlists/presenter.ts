import type { Playlist, Track } from '@escucho/contracts';
import type { Links } from '../media/links.ts';
import type { PlaylistRow, TrackColumns, TrackRow } from './repository.ts';

/** Presents a playlist with signed image URLs. */
export function toPlaylist(row: PlaylistRow, links: Links): Playlist {
  return {
    _id: row.id,
    name: row.name,
    titles: row.titles,
    origin: row.origin,
    active: row.active,
    images: row.images.map(({ image }) => ({ url: links.picture(image) })),
    totalTracks: row.total_tracks,
    totalDuration: row.total_duration,
    createdAt: row.created_at.toISOString(),
  };
}

/**
 * Presents what a track is to all users.
 *
 * @param source - the playlist the track is in; `id` is null for other lists
 */
export function toSharedTrack(
  row: TrackColumns,
  source: { name: string; id: string | null },
  isPlayable: boolean,
  links: Links,
): Omit<Track, 'progress' | 'like'> {
  return {
    _id: row.id,
    url: isPlayable ? links.audio(row.audio, row.duration).url : null,
    title: row.title,
    artist: row.narrator,
    artwork: links.picture(row.artwork),
    duration: row.duration,
    image: links.picture(row.image),
    source: source.name,
    playlist: source.id,
    kind: row.kind,
    language: row.language,
    level: row.level,
    topic: row.topic,
    loudness: row.loudness,
  };
}

/** Presents a track to a user. */
export const toTrack = (
  row: TrackRow,
  source: { name: string; id: string | null },
  isPlayable: boolean,
  links: Links,
): Track => ({
  ...toSharedTrack(row, source, isPlayable, links),
  progress: row.progress,
  like: row.like,
});
