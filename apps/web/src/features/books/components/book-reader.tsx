import { ArrowLeft } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { play, seekTo, togglePlayback, useTrackStatus } from '#features/player/player.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Sentences } from '#shared/ui/sentences.tsx';
import { paragraphsOn } from '../model/pages.ts';
import { type Book, useOpenPage } from '../use-open-page.ts';
import { useTurningKeys } from '../use-turning-keys.ts';
import { BookControls } from './book-controls.tsx';
import { BookPicture } from './book-picture.tsx';

/** A visual book, page by page (CAT-06): picture, words and narration; by buttons, keys and swiping, and by itself as it is read. */
export function BookReader({ book }: { book: Book }) {
  const t = useT();
  const format = useFormat();
  const { article, track } = book;
  const { pages, language } = article;
  const { open, turnTo, position } = useOpenPage(book);
  const isPlaying = useTrackStatus(track._id) === 'playing';
  const page = pages[open];
  const paragraphs = useMemo(() => paragraphsOn(article.sentences, open), [article.sentences, open]);
  useTurningKeys((by) => turnTo(open + by));

  // A book plays alone: nothing of another list follows it.
  const listenFrom = (start: number) => {
    if (position === null) play({ name: track.title, playlist: null }, [track], 0);
    seekTo(start);
  };
  const listen = () => (position === null ? listenFrom(page?.start ?? 0) : togglePlayback());
  const where = t('books.page', { page: open + 1, pages: pages.length });
  return (
    <div className="mx-auto max-w-6xl">
      <Link
        to={paths.visualBook}
        className="-mt-3 -ml-2 flex min-h-11 w-fit items-center gap-2 rounded-full px-2 text-sm text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t('books.all')}
      </Link>
      <h1 lang={language} className="font-serif text-xl font-semibold tracking-tight text-balance">
        {article.title}
      </h1>
      <p className="mt-1 mb-5 text-sm text-muted">
        {article.narrator.name} · {format.duration(article.duration)} · {article.level}
      </p>
      <section
        aria-label={where}
        className="grid grid-cols-1 items-center gap-6 lg:grid-cols-[auto_minmax(20rem,1fr)] lg:gap-12"
      >
        {page && <BookPicture page={page} next={pages[open + 1]} onTurn={(by) => turnTo(open + by)} />}
        <div className="mx-auto grid w-full max-w-[34rem] gap-6 lg:gap-10">
          <div
            key={open}
            lang={language}
            className="grid gap-[1.1em] font-serif text-lg leading-[1.65] motion-safe:animate-[rise_180ms_ease-out] md:text-xl"
          >
            <Sentences paragraphs={paragraphs} position={position} onSeek={listenFrom} />
          </div>
          <BookControls pages={pages} open={open} isPlaying={isPlaying} onListen={listen} onTurnTo={turnTo} />
        </div>
      </section>
      <p role="status" className="sr-only">
        {where}
      </p>
    </div>
  );
}
