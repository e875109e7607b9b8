import { useEffect, useState } from 'react';
import { getCurrentPosition } from '../engine/position-source.ts';
import { usePlayback, usePlayer } from '../engine/store.ts';
import { findSentenceIndex } from '../model/sentences.ts';

/**
 * The number of the sentence that is heard now, -1 before the first (PLAY-08): looked up at every frame while it plays, so
 * that a sentence lights up with its sound, and when the place changes otherwise. In: sentences in order.
 */
export function useCurrentSentence(sentences: readonly { start: number }[]): number {
  const isPlaying = usePlayer(({ phase }) => phase === 'playing');
  const [spoken, setSpoken] = useState(() => findSentenceIndex(sentences, getCurrentPosition()));
  useEffect(() => {
    const look = () => setSpoken(findSentenceIndex(sentences, getCurrentPosition()));
    look();
    const stop = usePlayback.subscribe(look);
    let frame = 0;
    const each = () => {
      look();
      frame = requestAnimationFrame(each);
    };
    if (isPlaying) frame = requestAnimationFrame(each);
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [sentences, isPlaying]);
  return spoken;
}
