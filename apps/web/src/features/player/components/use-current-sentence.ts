import { useEffect, useRef, useState } from 'react';
import { getCurrentPosition, usePlayback, usePlayer } from '../engine/store.ts';
import { findSentenceIndex } from '../model/sentences.ts';

/**
 * Returns the index of the current sentence, or -1 before the first (PLAY-08). It is updated on every animation frame while
 * playing, so that the highlight is in sync with the sound.
 */
export function useCurrentSentence(sentences: readonly { start: number }[]): number {
  const isPlaying = usePlayer(({ phase }) => phase === 'playing');
  const [current, setCurrent] = useState(() => findSentenceIndex(sentences, getCurrentPosition()));
  useEffect(() => {
    const update = () => setCurrent(findSentenceIndex(sentences, getCurrentPosition()));
    update();
    const stop = usePlayback.subscribe(update);
    let frame = 0;
    const onFrame = () => {
      update();
      frame = requestAnimationFrame(onFrame);
    };
    if (isPlaying) frame = requestAnimationFrame(onFrame);
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [sentences, isPlaying]);
  return current;
}

const findSentence = (box: HTMLElement | null, index: number) =>
  box?.querySelector<HTMLElement>(`[data-sentence="${index}"]`);

/** Returns whether a sentence is visible, at least partly, in its scroll container. */
function isVisible(box: HTMLElement, sentence: HTMLElement): boolean {
  const around = box.parentElement?.getBoundingClientRect();
  const { top, bottom } = sentence.getBoundingClientRect();
  return !around || (bottom > around.top && top < around.bottom);
}

/**
 * Scrolls the current sentence into view, until the user scrolls away; it continues when the sentence becomes visible or
 * `resume` is called.
 * @param layout - changes whenever the text is laid out differently
 */
export function useFollowSentence(index: number, layout: string) {
  const box = useRef<HTMLElement>(null);
  const isBrowsing = useRef(false);
  const isFirst = useRef(true);
  const [isAway, setAway] = useState(false);

  const follow = (behavior: ScrollBehavior) => {
    isBrowsing.current = false;
    setAway(false);
    findSentence(box.current, index)?.scrollIntoView({ block: 'center', behavior });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout moves the sentence as another sentence does
  useEffect(() => {
    const sentence = findSentence(box.current, index);
    if (!box.current || !sentence || (isBrowsing.current && !isVisible(box.current, sentence))) return;
    // Afterwards by the style sheet: smooth, except with prefers-reduced-motion.
    follow(isFirst.current ? 'instant' : 'auto');
    isFirst.current = false;
  }, [index, layout]);
  useEffect(() => {
    const scrolled = () => {
      const sentence = findSentence(box.current, index);
      if (isBrowsing.current && box.current && sentence) setAway(!isVisible(box.current, sentence));
    };
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', scrolled, { capture: true });
  }, [index]);

  const browse = () => {
    isBrowsing.current = true;
  };
  return { box, isAway, browse, resume: () => follow('auto') };
}
