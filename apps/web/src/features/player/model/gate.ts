/** What is to be played: the source's name and the track's place in it, counted from 0. */
export interface Candidate {
  source: string;
  index: number;
}

/** `open`: play; `alone`: play this one track and nothing after it; `closed`: ask for a subscription. */
export type Verdict = 'open' | 'alone' | 'closed';
export type Gate = (candidate: Candidate) => Verdict;

/**
 * PLAY-04: a subscriber plays everything; anyone else the first item of a source whose name contains 'Latest', alone.
 * The server decides the same by itself when it signs the audio's address.
 */
export function gateFor(isSubscribed: boolean): Gate {
  return ({ source, index }) => {
    if (isSubscribed) return 'open';
    return index === 0 && source.includes('Latest') ? 'alone' : 'closed';
  };
}
