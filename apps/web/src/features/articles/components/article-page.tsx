import type { api, ResponseBody, Track } from '@escucho/contracts';
import { type ComponentType, useMemo } from 'react';
import {
  play,
  seekTo,
  togglePlayback,
  useSavedPosition,
  useTrackPosition,
  useTrackStatus,
} from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Sentences } from '#shared/ui/sentences.tsx';
import { partsOf } from '../model/resources.ts';
import { ArticleHeader } from './article-header.tsx';
import { ArticleRow } from './article-row.tsx';

export type Read = ResponseBody<typeof api.articles.readArticle>;

interface Props {
  read: Read;
  Tools: ComponentType<{ track: Track }>;
}

/** Plays what is related as a list of its own. */
const playRelated = (title: string, tracks: readonly Track[]) => (index: number) =>
  play({ name: title, playlist: null }, tracks, index);

/** An article's own page (CAT-04): what it is, its text to read and to hear from any sentence, its chapters, what is near to it. */
export function ArticlePage({ read: { article, track, related }, Tools }: Props) {
  const t = useT();
  const format = useFormat();
  const position = useTrackPosition(track._id);
  const standing = useTrackStatus(track._id);
  const place = useSavedPosition(track);
  const isLocked = useIsLocked(track.url);
  const parts = useMemo(() => partsOf(article.sentences), [article.sentences]);

  const begin = () => play({ name: track.title, playlist: null }, [track], 0);
  const hear = (start: number) => {
    if (position === null) begin();
    seekTo(start);
  };
  return (
    <>
      <ArticleHeader
        article={article}
        isPlaying={standing === 'playing'}
        isLocked={isLocked}
        isBegun={place > 0}
        onListen={() => (standing === 'absent' ? begin() : togglePlayback())}
        tools={<Tools track={track} />}
      />
      {article.chapters.length > 0 && (
        <nav aria-label={t('articles.chapters')} className="mt-8 max-w-[38rem]">
          <h2 className="mb-2 font-serif text-lg font-semibold tracking-tight">{t('articles.chapters')}</h2>
          <ol>
            {article.chapters.map(({ title, start }) => (
              <li key={`${start} ${title}`}>
                <button
                  type="button"
                  onClick={() => hear(start)}
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
      {parts.length > 0 && article.estimated && (
        <p className="mt-8 -mb-4 max-w-[38rem] text-sm text-muted">{t('articles.estimated')}</p>
      )}
      {parts.length > 0 && (
        <section
          aria-label={t('articles.textOf', { title: article.title })}
          lang={article.language}
          className="mt-8 grid max-w-[38rem] gap-[1.1em] font-serif text-lg leading-[1.65]"
        >
          {parts.map(({ chapter, paragraphs }) => (
            <div key={chapter ?? -1} className="grid gap-[1.1em]">
              {chapter !== null && article.chapters[chapter] && (
                <h2 className="mt-4 text-xl font-semibold">{article.chapters[chapter].title}</h2>
              )}
              <Sentences paragraphs={paragraphs} position={position} onSeek={hear} />
            </div>
          ))}
        </section>
      )}
      {related.length > 0 && (
        <section aria-labelledby="related" className="mt-12">
          <h2 id="related" className="mb-2 font-serif text-lg font-semibold tracking-tight">
            {t('articles.related')}
          </h2>
          <ul className="-mx-2 grid gap-x-6 lg:grid-cols-2">
            {related.map((one, index) => (
              <li key={one._id}>
                <ArticleRow
                  track={one}
                  level={3}
                  index={index}
                  onPlay={playRelated(t('articles.related'), related)}
                  Tools={Tools}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
