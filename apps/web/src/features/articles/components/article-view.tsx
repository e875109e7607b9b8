import type { api, ResponseBody, Track } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { BookImage, Languages } from 'lucide-react';
import { type ReactNode, use, useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import {
  NextTrack,
  play,
  seekTo,
  type TrackAction,
  TrackTools,
  togglePlayback,
  useSavedPosition,
  useTrackAction,
  useTrackPosition,
  useTrackStatus,
} from '#features/player/player.ts';
import { useIsLocked } from '#features/session/session.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { useQueryParams } from '#shared/location.tsx';
import { addQuery, paths } from '#shared/paths.ts';
import { useReadingPreferences } from '#shared/preferences.ts';
import { Button, buttonClassName } from '#shared/ui/button.tsx';
import { Cover } from '#shared/ui/cover.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { groupSentences, Sentences } from '#shared/ui/sentences.tsx';
import { HeaderSkeleton, LoadingList, QueryFallback } from '#shared/ui/states.tsx';
import { getFilterValueName, getTopicName } from '../model/filters.ts';
import { articleQuery } from '../queries.ts';
import { ArticleRow, ListenButton } from './article-row.tsx';

type ArticleDetails = ResponseBody<typeof api.catalogue.readArticle>;

interface HeaderProps {
  article: ArticleDetails['article'];
  action: TrackAction;
  /** The label of its main button. */
  label: string;
  onListen: () => void;
  tools: ReactNode;
}

const chipStyle =
  'rounded-full border border-line px-3 py-1 text-xs font-medium text-muted hover:border-line-strong';

/** Cover, title, narrator and classification, each a link to similar articles. */
function ArticleHeader({ article, action, label, onListen, tools }: HeaderProps) {
  const t = useT();
  const format = useFormat();
  const { language } = article;
  return (
    <header className="flex flex-col gap-5 sm:flex-row sm:items-center sm:gap-7">
      <Cover
        src={article.artwork}
        size={208}
        decoding="auto"
        className="size-40 shrink-0 rounded-lg sm:size-52"
      />
      <div className="min-w-0">
        <h1 lang={article.language} className="heading text-2xl text-balance">
          {article.title}
        </h1>
        <p className="mt-1 text-sm text-muted">
          <Link to={paths.articles('narrator', article.narrator.name)} className="underline hover:text-ink">
            {article.narrator.name}
          </Link>{' '}
          · {format.duration(article.duration)} · {format.day(article.publishedAt)}
        </p>
        <p lang={article.language} className="mt-3 max-w-[38rem] text-muted text-pretty">
          {article.summary}
        </p>
        <p className="mt-3 flex flex-wrap gap-2">
          <Link to={addQuery(paths.articles('level', article.level), { language })} className={chipStyle}>
            {article.level}
          </Link>
          <Link to={addQuery(paths.articles('topic', article.topic), { language })} className={chipStyle}>
            {getTopicName(t, article.topic)}
          </Link>
          <Link to={addQuery(paths.articles('latest'), { language })} className={chipStyle}>
            {getFilterValueName(t, 'language', language)}
          </Link>
          <Link to={addQuery(paths.search, { kind: article.kind, language })} className={chipStyle}>
            {getFilterValueName(t, 'kind', article.kind)}
          </Link>
        </p>
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <ListenButton action={action} onClick={onListen}>
            {label}
          </ListenButton>
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

const playRelated = (title: string, tracks: readonly Track[]) => (index: number) =>
  play({ name: title, playlist: null }, tracks, index);

/** A loaded article (CAT-04): header, chapters, text to read and to play from any sentence, related articles. */
function ArticleContent({ article, track, related }: ArticleDetails) {
  const t = useT();
  const format = useFormat();
  const Tools = use(TrackTools);
  const Next = use(NextTrack);
  const position = useTrackPosition(track._id);
  const status = useTrackStatus(track._id);
  const savedPosition = useSavedPosition(track);
  const action = useTrackAction(track._id, useIsLocked(track.url));
  const hasTranslation = useReadingPreferences((preferences) => preferences.hasTranslation);
  const chapters = useMemo(
    () => [...groupSentences(article.sentences, ({ chapter }) => chapter)],
    [article.sentences],
  );

  const start = (from?: number) => play({ name: track.title, playlist: null }, [track], 0, { from });
  const playFrom = position === null ? start : seekTo;
  // A link to a bookmark names the position, until the article plays.
  const [query, setQuery] = useQueryParams();
  const at = Number(query.get('at') ?? Number.NaN);
  const from = status !== 'playing' && at >= 0 && at < article.duration ? at : undefined;
  useEffect(() => {
    if (status === 'playing' && query.has('at')) setQuery({ at: '' });
  }, [status, query, setQuery]);
  const listen = () => {
    if (status === 'absent') return start(from);
    if (from !== undefined) seekTo(from);
    togglePlayback();
  };
  const getLabel = () => {
    if (from !== undefined && action !== 'lock') return t('articles.listenFrom', { time: format.time(from) });
    if (action === 'pause') return t('articles.pause');
    return t(savedPosition > 0 ? 'articles.resume' : 'articles.listen');
  };
  return (
    <>
      <ArticleHeader
        article={article}
        action={action}
        label={getLabel()}
        onListen={listen}
        tools={<Tools track={track} />}
      />
      {article.chapters.length > 0 && (
        <nav aria-label={t('articles.chapters')} className="mt-8 max-w-[38rem]">
          <h2 className="mb-2 heading text-lg">{t('articles.chapters')}</h2>
          <ol className="-mx-2">
            {article.chapters.map(({ title, start }) => (
              <li key={`${start} ${title}`}>
                <button
                  type="button"
                  onClick={() => playFrom(start)}
                  className="flex min-h-11 w-full items-center justify-between gap-4 rounded-md px-2 text-left text-sm hover:bg-hover"
                >
                  <span lang={article.language} className="min-w-0 truncate">
                    {title}
                  </span>
                  <span className="text-xs text-muted tabular-nums">{format.time(start)}</span>
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {chapters.length > 0 && article.estimated && (
        <p className="mt-8 -mb-4 max-w-[38rem] text-sm text-muted">{t('articles.estimated')}</p>
      )}
      {chapters.length > 0 && article.translationLanguage !== null && (
        <Button
          aria-pressed={hasTranslation}
          onClick={() => useReadingPreferences.setState({ hasTranslation: !hasTranslation })}
          className="mt-8 -mb-4 aria-pressed:border-accent aria-pressed:text-accent-text"
        >
          <Languages aria-hidden className="size-4" />
          {t('common.translation')}
        </Button>
      )}
      {chapters.length > 0 && (
        <section
          aria-label={t('common.textOf', { title: article.title })}
          className="mt-8 grid max-w-[38rem] gap-[1.1em] font-serif text-lg leading-[1.65]"
        >
          {chapters.map(([chapter, sentences]) => (
            <div key={chapter ?? -1} lang={article.language} className="grid gap-[1.1em]">
              {chapter !== null && article.chapters[chapter] && (
                <h2 className="mt-4 text-xl font-semibold">{article.chapters[chapter].title}</h2>
              )}
              <Sentences
                sentences={sentences}
                position={position}
                onSeek={playFrom}
                translationLanguage={hasTranslation ? article.translationLanguage : null}
              />
            </div>
          ))}
        </section>
      )}
      <div className="mt-12 max-w-[38rem] rounded-lg border border-line bg-surface p-4 empty:hidden print:hidden">
        <LazyBoundary>
          <Next after={track} />
        </LazyBoundary>
      </div>
      {related.length > 0 && (
        <section aria-labelledby="related" className="mt-12 print:hidden">
          <h2 id="related" className="mb-2 heading text-lg">
            {t('articles.related')}
          </h2>
          <ul className="-mx-2 grid grid-cols-1 gap-x-6 lg:grid-cols-2">
            {related.map((relatedTrack, index) => (
              <li key={relatedTrack._id}>
                <ArticleRow
                  track={relatedTrack}
                  level={3}
                  index={index}
                  onPlay={playRelated(`${t('articles.related')} · ${track._id}`, related)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const articleSkeleton = (
  <>
    <HeaderSkeleton />
    <LoadingList count={5} itemClassName="h-5" className="mt-8 grid max-w-[38rem] gap-4" />
  </>
);

interface Props {
  id: string;
  /** Shown where there is no such article. */
  missing: ReactNode;
}

/** The page of an article (CAT-04). */
export function ArticleView({ id, missing }: Props) {
  const query = useQuery(articleQuery(id));
  if (query.data) return <ArticleContent {...query.data} />;
  return <QueryFallback query={query} missing={missing} loading={articleSkeleton} />;
}
