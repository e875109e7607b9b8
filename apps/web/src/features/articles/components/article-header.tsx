import { BookImage, LockKeyhole, Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Button, buttonClassName } from '#shared/ui/button.tsx';
import { topicName } from '../topic.ts';
import type { Read } from './article-page.tsx';
import { valueName } from './filter-bar.tsx';

interface Props {
  article: Read['article'];
  isPlaying: boolean;
  /** It is for subscribers, and this reader is none. */
  isLocked: boolean;
  /** The reader has heard some of it. */
  isBegun: boolean;
  onListen: () => void;
  tools: ReactNode;
}

const chip =
  'rounded-full border border-line px-3 py-1 text-xs font-medium text-muted hover:border-line-strong';

/** A day is the same everywhere: its midnight in UTC, as it is told, is still the day before in the Americas. */
const noonOf = (day: string) => `${day.slice(0, 10)}T12:00:00`;

/** Cover, title, whose voice, and what it is; each leads to more of the same. */
export function ArticleHeader({ article, isPlaying, isLocked, isBegun, onListen, tools }: Props) {
  const t = useT();
  const format = useFormat();
  const Icon = isPlaying ? Pause : isLocked ? LockKeyhole : Play;
  return (
    <header className="flex flex-col gap-5 sm:flex-row sm:items-end sm:gap-7">
      <img
        src={article.artwork}
        alt=""
        width={208}
        height={208}
        className="size-40 shrink-0 rounded-lg bg-overlay object-cover sm:size-52"
      />
      <div className="min-w-0">
        <h1 lang={article.language} className="font-serif text-2xl font-semibold tracking-tight text-balance">
          {article.title}
        </h1>
        <p className="mt-1 text-sm text-muted">
          <Link to={paths.articles('narrator', article.narrator.name)} className="underline hover:text-ink">
            {article.narrator.name}
          </Link>{' '}
          · {format.duration(article.duration)} · {format.date(noonOf(article.publishedAt))}
        </p>
        <p lang={article.language} className="mt-3 max-w-[38rem] text-muted text-pretty">
          {article.summary}
        </p>
        <p className="mt-3 flex flex-wrap gap-2">
          <Link to={paths.articles('level', article.level)} className={chip}>
            {article.level}
          </Link>
          <Link to={paths.articles('topic', article.topic)} className={chip}>
            {topicName(t, article.topic)}
          </Link>
          <span className={chip}>{valueName(t, 'language', article.language)}</span>
          <span className={chip}>{valueName(t, 'kind', article.kind)}</span>
        </p>
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <Button
            variant="solid"
            aria-label={isLocked ? t('articles.listenLocked') : undefined}
            onClick={onListen}
          >
            <Icon aria-hidden className="size-4" fill={isLocked ? 'none' : 'currentColor'} />
            {t(isPlaying ? 'articles.pause' : isBegun ? 'articles.resume' : 'articles.listen')}
          </Button>
          {article.pages.length > 0 && (
            <Link to={paths.book(article._id)} className={buttonClassName('soft')}>
              <BookImage aria-hidden className="size-4" />
              {t('articles.asBook')}
            </Link>
          )}
          {tools}
        </div>
      </div>
    </header>
  );
}
