import type { Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { findTrackIndex } from './queue.ts';
import { getPlaybackRate } from './sound.ts';
import type { PlayerState } from './state.ts';

/** How long before its end a track that is loaded whole lets the next one in, and one that is not; seconds of listening. */
const lead = { whole: 60, partly: 15 };
/** How far the element's idea of the end may differ from ours; seconds. */
const tolerance = 1;

/**
 * The track that will follow without anybody's doing, once its beginning should be fetched; null until then, and where
 * nothing follows: at the queue's end, before a closed gate (PLAY-04), when sleep comes first. In: `buffered`, how far the active
 * track is loaded, in seconds.
 */
export function findTrackToPreload(state: PlayerState, buffered: number, gate: Gate): Track | null {
  const { activeTrack, queue, sleep, progress } = state;
  if (!activeTrack || state.phase !== 'playing' || sleep === 'track') return null;
  const index = findTrackIndex(queue, activeTrack._id) + 1;
  const next = queue[index];
  if (!next || gate({ source: next.source, index }) === 'closed') return null;
  const left = (activeTrack.duration - progress) / getPlaybackRate(state);
  const isWhole = buffered >= activeTrack.duration - tolerance;
  if (left > (isWhole ? lead.whole : lead.partly) || (sleep !== null && sleep < left)) return null;
  return next;
}
