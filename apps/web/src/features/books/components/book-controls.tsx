import type { Article } from '@escucho/contracts';
import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { cn } from '#shared/ui/cn.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';

interface Props {
  pages: Article['pages'];
  /** The open page's number from 0. */
  open: number;
  isPlaying: boolean;
  onListen: () => void;
  onTurnTo: (page: number) => void;
}

/** Back, listen, on; and a dot for each page. */
export function BookControls({ pages, open, isPlaying, onListen, onTurnTo }: Props) {
  const t = useT();
  const Icon = isPlaying ? Pause : Play;
  return (
    <div>
      <div className="flex items-center justify-center gap-3">
        <IconButton label={t('books.previous')} disabled={open === 0} onClick={() => onTurnTo(open - 1)}>
          <ChevronLeft />
        </IconButton>
        <Button variant="solid" onClick={onListen}>
          <Icon aria-hidden className="size-4" fill="currentColor" />
          {t(isPlaying ? 'books.pause' : 'books.listen')}
        </Button>
        <IconButton
          label={t('books.next')}
          disabled={open >= pages.length - 1}
          onClick={() => onTurnTo(open + 1)}
        >
          <ChevronRight />
        </IconButton>
      </div>
      <ol className="mx-auto mt-3 flex max-w-lg flex-wrap justify-center">
        {pages.map(({ start, title }, index) => (
          <li key={start}>
            <button
              type="button"
              aria-label={t('books.toPage', { page: index + 1, title })}
              aria-current={index === open ? 'page' : undefined}
              onClick={() => onTurnTo(index)}
              className="grid h-11 w-8 place-items-center rounded-full pointer-fine:size-8"
            >
              <span
                className={cn(
                  'h-1.5 rounded-full',
                  index === open ? 'w-5 bg-accent' : 'w-1.5 bg-line-strong',
                )}
              />
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
