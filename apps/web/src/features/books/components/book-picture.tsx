import type { Article } from '@escucho/contracts';
import { type PointerEvent, useRef } from 'react';
import { turnOf } from '../model/pages.ts';

interface Props {
  page: Article['pages'][number];
  /** The picture after it, which is then there before its page is. */
  next: Article['pages'][number] | undefined;
  onTurn: (pages: -1 | 0 | 1) => void;
}

/** A page's picture; a finger on it turns the page. */
export function BookPicture({ page, next, onTurn }: Props) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const lifted = ({ clientX, clientY }: PointerEvent) => {
    if (from.current) onTurn(turnOf({ x: clientX - from.current.x, y: clientY - from.current.y }));
    from.current = null;
  };
  return (
    <>
      <img
        key={page.image}
        src={page.image}
        alt={page.alt}
        width={1024}
        height={1024}
        draggable={false}
        onPointerDown={({ clientX, clientY }) => {
          from.current = { x: clientX, y: clientY };
        }}
        onPointerUp={lifted}
        onPointerCancel={() => {
          from.current = null;
        }}
        className="mx-auto aspect-square max-h-[40dvh] w-auto max-w-full touch-pan-y rounded-lg bg-overlay object-cover select-none motion-safe:animate-[rise_180ms_ease-out] lg:max-h-[calc(100dvh-20rem)]"
      />
      {next && <img src={next.image} alt="" className="hidden" />}
    </>
  );
}
