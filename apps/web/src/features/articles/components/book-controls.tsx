import type { Article } from '@escucho/contracts';
import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type PointerEvent, useRef } from 'react';
import type { TrackAction } from '#features/player/player.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { toPageTurn } from '../model/pages.ts';
import { ListenButton } from './article-row.tsx';

interface BookControlsProps {
  pages: Article['pages'];
  /** The index of the open page. */
  openPage: number;
  action: TrackAction;
  onListen: () => void;
  onTurn: (pages: -1 | 1) => void;
  onTurnTo: (page: number) => void;
  className?: string;
}

/** The buttons for the previous page, playback and the next page, and a dot for each page. */
export function BookControls(props: BookControlsProps) {
  const { pages, openPage, action, onListen, onTurn, onTurnTo, className } = props;
  const t = useT();
  return (
    <div className={className}>
      <div className="flex items-center justify-center gap-3">
        <IconButton label={t('books.previous')} aria-disabled={openPage === 0} onClick={() => onTurn(-1)}>
          <ChevronLeft />
        </IconButton>
        <ListenButton action={action} onClick={onListen}>
          {t(action === 'pause' ? 'articles.pause' : 'articles.listen')}
        </ListenButton>
        <IconButton
          label={t('books.next')}
          aria-disabled={openPage >= pages.length - 1}
          onClick={() => onTurn(1)}
        >
          <ChevronRight />
        </IconButton>
      </div>
      <ol className="mx-auto mt-3 flex max-w-lg flex-wrap justify-center">
        {pages.map(({ start, title }, index) => (
          <li key={start} className="max-w-8 min-w-6 grow basis-6">
            <button
              type="button"
              aria-label={t('books.toPage', { page: index + 1, title })}
              aria-current={index === openPage ? 'page' : undefined}
              onClick={() => onTurnTo(index)}
              className="grid h-11 w-full place-items-center rounded-full pointer-fine:h-8"
            >
              <span
                className={clsx(
                  'h-1.5 rounded-full',
                  index === openPage ? 'w-5 bg-accent' : 'w-1.5 bg-line-strong',
                )}
              />
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface BookPictureProps {
  page: Article['pages'][number];
  /** The next page, whose picture is preloaded. */
  next: Article['pages'][number] | undefined;
  /** The language of the book, in which the picture is described. */
  language: Article['language'];
  onTurn: (pages: -1 | 0 | 1) => void;
}

/** The picture of a page; a swipe on it turns the page. In a low window its size leaves room for the header, the player, the sidebar and the controls beside it. */
export function BookPicture({ page, next, language, onTurn }: BookPictureProps) {
  const start = useRef<{ x: number; y: number } | null>(null);
  const onPointerUp = ({ clientX, clientY }: PointerEvent) => {
    if (start.current) onTurn(toPageTurn({ x: clientX - start.current.x, y: clientY - start.current.y }));
    start.current = null;
  };
  return (
    <>
      <img
        key={page.image}
        src={page.image}
        alt={page.alt}
        lang={language}
        width={1024}
        height={768}
        draggable={false}
        onPointerDown={({ clientX, clientY }) => {
          start.current = { x: clientX, y: clientY };
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          start.current = null;
        }}
        className="mx-auto aspect-4/3 max-h-[40dvh] w-auto max-w-full touch-pan-y rounded-lg bg-overlay object-contain select-none motion-safe:animate-[rise_180ms_ease-out] lg:landscape:max-h-[calc(100dvh-20rem)] lg:landscape:self-start low:sticky low:top-4 low:col-start-1 low:row-span-4 low:row-start-1 low:max-h-[calc(100dvh-145px)] low:max-w-[calc(100vw-405px)] low:self-start"
      />
      {next && <img src={next.image} alt="" className="hidden" />}
    </>
  );
}
