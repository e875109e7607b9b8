import type { SearchHit } from '@escucho/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Play } from 'lucide-react';
import { Link } from 'wouter';
import { play } from '#features/player/player.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { useQueryParams } from '#shared/location.tsx';
import { addQuery, paths } from '#shared/paths.ts';
import { Button, buttonClassName } from '#shared/ui/button.tsx';
import { LoadMore } from '#shared/ui/load-more.tsx';
import { EmptyState, QueryFallback } from '#shared/ui/states.tsx';
import {
  type FilterName,
  filterNames,
  getFilterValueName,
  type SearchFilters,
  suggestFilters,
} from '../model/filters.ts';
import { findExcerptStart, splitMatches } from '../model/text.ts';
import { searchQuery } from '../queries.ts';
import { addRecentSearch } from '../recent-searches.ts';
import { ArticleRow, RowsSkeleton } from './article-row.tsx';
import { FilterBar } from './filter-bar.tsx';

interface Props {
  term: string;
  filters: SearchFilters;
  /** The filters the user may change; all by default. */
  names?: readonly FilterName[];
  /** The name as a source of the player; by default the term's. */
  source?: string;
  onFilter: (values: Record<string, string>) => void;
}

const HighlightedText = ({ text, ranges }: { text: string; ranges: SearchHit['titleMarks'] }) => (
  <>
    {splitMatches(text, ranges).map((segment, index) =>
      segment.isMatch ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a text never change places
        <mark key={index} className="rounded-sm bg-accent-soft text-accent-text">
          {segment.text}
        </mark>
      ) : (
        segment.text
      ),
    )}
  </>
);

/** A sentence with its matches highlighted; on a phone, what is long before the first one is left out. */
function MatchingSentence({ text, marks }: NonNullable<SearchHit['sentence']>) {
  const start = findExcerptStart(text, marks[0]?.[0] ?? 0);
  return (
    <>
      {start > 0 && (
        <>
          <span className="max-sm:hidden">{text.slice(0, start)}</span>
          <span className="sm:hidden">… </span>
        </>
      )}
      <HighlightedText
        text={text.slice(start)}
        ranges={marks.map(([from, to]) => [from - start, to - start])}
      />
    </>
  );
}

interface HitRowProps {
  hit: SearchHit;
  index: number;
  /** Plays the hit, optionally from a position in seconds. */
  onPlay: (index: number, from?: number) => void;
}

/** A hit with its matches highlighted and the matching sentence, which plays from there (CAT-03). */
function HitRow({ hit: { track, titleMarks, sentence }, index, onPlay }: HitRowProps) {
  const t = useT();
  const format = useFormat();
  return (
    <ArticleRow
      track={track}
      index={index}
      onPlay={onPlay}
      title={<HighlightedText text={track.title} ranges={titleMarks} />}
    >
      {sentence && (
        <p className="mt-1 flex items-center gap-2 text-sm text-muted">
          <q lang={track.language} className="line-clamp-2 min-w-0 font-serif">
            <MatchingSentence {...sentence} />
          </q>
          <button
            type="button"
            aria-label={t('articles.playFrom', { title: track.title, time: format.time(sentence.start) })}
            onClick={() => onPlay(index, sentence.start)}
            className="flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-3 text-xs font-semibold text-accent-text hover:bg-hover pointer-fine:min-h-8"
          >
            <Play aria-hidden className="size-3" fill="currentColor" />
            {format.time(sentence.start)}
          </button>
        </p>
      )}
    </ArticleRow>
  );
}

interface NoResultsProps {
  nearWords: readonly string[];
  canClear: boolean;
  onClear: () => void;
}

/** Shown for no results: similar words, or the filters to clear. */
function NoResults({ nearWords, canClear, onClear }: NoResultsProps) {
  const t = useT();
  const [current] = useQueryParams();
  const language = current.get('language');
  const emptyText = canClear ? 'articles.nothingFiltered' : 'articles.nothingText';
  return (
    <EmptyState
      title={t('articles.nothingTitle')}
      text={t(nearWords.length > 0 ? 'articles.nothingNear' : emptyText)}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {nearWords.map((word) => (
            <Link
              key={word}
              to={addQuery(paths.articles('search', word), { language })}
              className={buttonClassName('soft')}
            >
              {word}
            </Link>
          ))}
          {canClear && <Button onClick={onClear}>{t('articles.clearFilters')}</Button>}
          <Link to={paths.search} className={buttonClassName('soft')}>
            {t('articles.browse')}
          </Link>
        </div>
      }
    />
  );
}

/** Offers the filters that words of the term name: "spanish" is in few texts, and means all Spanish ones. */
function SuggestedFilters({ term, filters }: Pick<Props, 'term' | 'filters'>) {
  const t = useT();
  const [current] = useQueryParams();
  const suggestion = suggestFilters(term, filters);
  if (!suggestion) return null;
  const names = filterNames.flatMap((name) => {
    const value = suggestion.named[name];
    return value ? [getFilterValueName(t, name, value)] : [];
  });
  const path = suggestion.term ? paths.articles('search', suggestion.term) : paths.search;
  // All languages are no filter, but a parameter of the address.
  const { language = current.get('language'), level, kind, topic, length } = suggestion.filters;
  return (
    <Link
      to={addQuery(path, { language, level, kind, topic, length })}
      className={buttonClassName('soft', 'mb-3')}
    >
      {t('articles.showOnly', { names: names.join(', ') })}
    </Link>
  );
}

/** The results of a search (CAT-03), best first, or the newest articles that match filters, which play as a list of their own. */
export function SearchResults({ term, filters, names = filterNames, source, onFilter }: Props) {
  const t = useT();
  const query = useInfiniteQuery(searchQuery(term, filters));
  const { data, error, isPaused, isPlaceholderData, hasNextPage } = query;
  const first = data?.pages[0];
  const hits = data?.pages.flatMap(({ docs }) => docs) ?? [];
  const playAt = (index: number, from?: number) => {
    addRecentSearch(term);
    const tracks = hits.map(({ track }) => track);
    // Other filters are another list, which replaces the queue (PLAY-02).
    const values = Object.values(filters).filter(Boolean);
    const name = [source ?? t('articles.searchSource', { term }), ...values].join(' · ');
    play({ name, playlist: null }, tracks, index, { from });
  };
  const filterBar = (
    <FilterBar
      names={names}
      facets={first?.facets}
      isSampled={first?.isSampled ?? false}
      filters={filters}
      onChange={onFilter}
    />
  );
  // Without a network, the results of the search before would stay as if they were of this one.
  if ((!first && error) || (isPaused && (!first || isPlaceholderData)))
    return (
      <>
        {filterBar}
        <QueryFallback query={query} />
      </>
    );
  const foundText = first && t.count('articles.found', first.totalDocs);
  return (
    <>
      {filterBar}
      <p role="status" className="mb-3 min-h-5 text-sm text-muted">
        {first?.corrected && first.totalDocs > 0
          ? t('articles.resultsFor', { term: first.corrected })
          : first?.isMore
            ? t('articles.foundMore', { n: first.totalDocs })
            : foundText}
      </p>
      <SuggestedFilters term={term} filters={filters} />
      {first ? (
        // biome-ignore lint/a11y/useSemanticElements: it is a labelled list, not a group of a form
        <div
          role="group"
          aria-label={t('articles.results')}
          aria-busy={isPlaceholderData}
          onClickCapture={(event) => {
            const { target } = event;
            if (hits.length > 0 && target instanceof Element && target.closest('a')) addRecentSearch(term);
          }}
          className={clsx('-mx-2 max-w-6xl', isPlaceholderData && 'opacity-60')}
        >
          {hits.length > 0 ? (
            <ol>
              {hits.map((hit, index) => (
                <li key={hit.track._id}>
                  <HitRow hit={hit} index={index} onPlay={playAt} />
                </li>
              ))}
              {hasNextPage && (
                <li>
                  <LoadMore query={query} />
                </li>
              )}
            </ol>
          ) : (
            <NoResults
              nearWords={first.near}
              canClear={names.some((name) => filters[name])}
              onClear={() => onFilter(Object.fromEntries(names.map((name) => [name, ''])))}
            />
          )}
        </div>
      ) : (
        <RowsSkeleton />
      )}
    </>
  );
}
