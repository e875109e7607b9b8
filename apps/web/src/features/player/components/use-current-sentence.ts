import { useEffect, useRef, useState } from 'react';
import { getCurrentPosition, usePlayback, usePlayer } from '../engine/store.ts';
import { findSentenceIndex } from '../model/sentences.ts';

/**
 * Returns the index of the current sentence, or -1 before the first (PLAY-08). It is updated on every animation frame while
 * playing, so that the highlight is in sync with the sound.
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

const sentenceIn = (box: HTMLElement | null, index: number) =>
  box?.querySelector<HTMLElement>(`[data-sentence="${index}"]`);

/** Returns whether any part of a sentence is visible in its scroll container. */
function isInSight(box: HTMLElement, sentence: HTMLElement): boolean {
  const around = box.parentElement?.getBoundingClientRect();
  const { top, bottom } = sentence.getBoundingClientRect();
  return !around || (bottom > around.top && top < around.bottom);
}

/**
 * Scrolls the current sentence into view, until the user scrolls away; it continues when the sentence becomes visible or
 * `back` is called.
 * @param layout changes whenever the text is laid out differently
 */
export function useFollowSentence(index: number, layout: string) {
  const box = useRef<HTMLElement>(null);
  const isLooking = useRef(false);
  const isFirst = useRef(true);
  const [isAway, setAway] = useState(false);

  const follow = (behavior: ScrollBehavior) => {
    isLooking.current = false;
    setAway(false);
    sentenceIn(box.current, index)?.scrollIntoView({ block: 'center', behavior });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout moves the sentence as another sentence does
  useEffect(() => {
    const sentence = sentenceIn(box.current, index);
    if (!box.current || !sentence || (isLooking.current && !isInSight(box.current, sentence))) return;
    // From then on as the page scrolls elsewhere: smoothly, or at once for who wants no movement.
    follow(isFirst.current ? 'instant' : 'auto');
    isFirst.current = false;
  }, [index, layout]);
  useEffect(() => {
    const scrolled = () => {
      const sentence = sentenceIn(box.current, index);
      if (isLooking.current && box.current && sentence) setAway(!isInSight(box.current, sentence));
    };
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', scrolled, { capture: true });
  }, [index]);

  const look = () => {
    isLooking.current = true;
  };
  return { box, isAway, look, back: () => follow('auto') };
}
