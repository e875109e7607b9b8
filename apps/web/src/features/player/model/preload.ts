import type { Track } from '@escucho/contracts';
import type { Gate } from './gate.ts';
import { findTrackIndex } from './queue.ts';
import { getPlaybackRate } from './sound.ts';
import type { PlayerState } from './state.ts';

/** How long before its end the next track is preloaded when this one is loaded completely. */
const COMPLETE_LEAD_SECONDS = 60;
const PARTIAL_LEAD_SECONDS = 15;
/** How far the element's duration may differ from the track's. */
const DURATION_TOLERANCE_SECONDS = 1;

/**
 * Returns the track that will play next by auto-advance, once it is time to preload it. Returns null at the queue's end,
 * before a closed gate (PLAY-04), and when the sleep timer ends earlier.
 * @param buffered - how far the active track is loaded; seconds
 */
export function findTrackToPreload(state: PlayerState, buffered: number, gate: Gate): Track | null {
  const { activeTrack, queue, sleep, progress } = state;
  if (!activeTrack || state.phase !== 'playing' || sleep === 'track') return null;
  const index = findTrackIndex(queue, activeTrack._id) + 1;
  const next = queue[index];
  if (!next || gate({ source: next.source, index }) === 'closed') return null;
  const remaining = (activeTrack.duration - progress) / getPlaybackRate(state);
  const isComplete = buffered >= activeTrack.duration - DURATION_TOLERANCE_SECONDS;
  if (remaining > (isComplete ? COMPLETE_LEAD_SECONDS : PARTIAL_LEAD_SECONDS)) return null;
  return sleep !== null && sleep < remaining ? null : next;
}
