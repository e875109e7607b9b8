import { useEffect, useRef, useState } from 'react';

const sentenceIn = (box: HTMLElement | null, index: number) =>
  box?.querySelector<HTMLElement>(`[data-sentence="${index}"]`);

/** Whether any of a sentence can be seen in what scrolls around the text. */
function isInSight(box: HTMLElement, sentence: HTMLElement): boolean {
  const around = box.parentElement?.getBoundingClientRect();
  const { top, bottom } = sentence.getBoundingClientRect();
  return !around || (bottom > around.top && top < around.bottom);
}

/**
 * Keeps the spoken sentence in sight. Who scrolls away is left alone until the voice comes to where they look, or they ask
 * to be taken back. In: the sentence's number, and whatever else changes where it stands. Out: the text's box, whether the
 * reader is away, what to call when they look elsewhere, and when they want to go back.
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
