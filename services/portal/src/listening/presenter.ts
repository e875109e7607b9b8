import type { ContinueListening, HistoryEntry } from '@escucho/contracts';
import type { Links } from '../media/links.ts';
import type { ProgressRow } from './repository.ts';

/** A continue-listening entry as the wire names it; audio is signed where the reader may play it. */
export function toContinueListening(row: ProgressRow, playable: boolean, links: Links): ContinueListening {
  return {
    _id: row.id,
    title: row.title,
    duration: row.duration,
    audio: playable ? links.audio(row.audio, row.duration).url : null,
    image: links.picture(row.image),
    artwork: links.picture(row.artwork),
    language: row.language,
    level: row.level,
    narrator: {
      name: row.narrator,
      image: row.narrator_image === null ? null : links.picture(row.narrator_image),
    },
    progress: row.position,
    kind: row.kind,
    topic: row.topic,
    loudness: row.loudness,
    like: row.like,
    heardOn: row.device_kind,
  };
}

/** An entry of the history as the wire names it. */
export const toHistoryEntry = (row: ProgressRow, playable: boolean, links: Links): HistoryEntry => ({
  ...toContinueListening(row, playable, links),
  heardAt: row.listened_at.toISOString(),
});
