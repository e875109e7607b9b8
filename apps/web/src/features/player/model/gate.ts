import type { Track } from '@escucho/contracts';
import type { PlayerEvent, PlayerState } from './state.ts';

/** What is to be played: the source's name and the track's index in it. */
export interface Candidate {
  source: string;
  index: number;
  /**
   * What the server decided about it, where that is known: it signs the URLs of what a user may play. Of a list, the name is
   * required as well; `granted` is for tracks that are not played from a list.
   */
  access?: 'granted' | 'withheld' | undefined;
}

/** `open`: play; `alone`: play this one track and nothing after it; `closed`: ask for a subscription. */
export type Verdict = 'open' | 'alone' | 'closed';
export type Gate = (candidate: Candidate) => Verdict;

/**
 * Creates the gate of PLAY-04: a subscriber plays everything; anyone else the first item of a source whose name contains
 * 'Latest', alone. The server applies the rule to the system's lists only, and its decision takes precedence.
 */
export function createGate(isSubscribed: boolean): Gate {
  return ({ source, index, access }) => {
    if (isSubscribed) return 'open';
    if (access !== undefined) return access === 'granted' ? 'alone' : 'closed';
    return index === 0 && source.includes('Latest') ? 'alone' : 'closed';
  };
}

/** Returns the event that plays a refused track once the user has subscribed. */
export function getRetryEvent(event: PlayerEvent, track: Track, state: PlayerState): PlayerEvent {
  if (event.type === 'playFrom') return event;
  if (state.activeTrack?._id === track._id) return { type: 'play' };
  return { type: 'skipTo', index: state.queue.findIndex(({ _id }) => _id === track._id) };
}
