import { useEffect, useState } from 'react';
import { sentenceAt } from '../model/sentences.ts';
import { soundNow } from '../sound-clock.ts';
import { usePlayer, useProgress } from '../store.ts';

/**
 * The number of the sentence that is heard now, -1 before the first (PLAY-08): looked up at every frame while it plays, so
 * that a sentence lights up with its sound, and when the place changes otherwise. In: sentences in order.
 */
export function useSpoken(sentences: readonly { start: number }[]): number {
  const isPlaying = usePlayer(({ phase }) => phase === 'playing');
  const [spoken, setSpoken] = useState(() => sentenceAt(sentences, soundNow()));
  useEffect(() => {
    const look = () => setSpoken(sentenceAt(sentences, soundNow()));
    look();
    const stop = useProgress.subscribe(look);
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
