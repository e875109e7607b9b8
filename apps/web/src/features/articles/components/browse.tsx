import type { Facets } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { addQuery, paths } from '#shared/paths.ts';
import { Button, buttonClassName, IconButton } from '#shared/ui/button.tsx';
import { Cover } from '#shared/ui/cover.tsx';
import { QueryFallback } from '#shared/ui/states.tsx';
import { toastWithUndo } from '#shared/ui/toast.tsx';
import { type FilterName, filterNames, getFilterValueName, type SearchFilters } from '../model/filters.ts';
import { browseQuery } from '../queries.ts';
import { clearRecentSearches, removeRecentSearch, useRecentSearches } from '../recent-searches.ts';
import { RowsSkeleton } from './article-row.tsx';
import { choiceRow, FilterBar } from './filter-bar.tsx';

interface SectionProps {
  title: string;
  action?: ReactNode;
  isGrid?: boolean;
  children: ReactNode;
}

const Section = ({ title, action, isGrid = false, children }: SectionProps) => (
  <section className="mt-8">
    <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-x-4">
      <h2 className="min-w-0 heading text-lg">{title}</h2>
      {action}
    </div>
    <ul
      className={
        isGrid
          ? 'grid max-w-6xl grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] gap-2 sm:grid-cols-3 sm:gap-3 lg:grid-cols-4'
          : 'flex flex-wrap gap-2'
      }
    >
      {children}
    </ul>
  </section>
);

interface TileProps {
  to: string;
  name: string;
  count: number;
  cover: string | undefined;
}

function Tile({ to, name, count, cover }: TileProps) {
  const format = useFormat();
  return (
    <li>
      <Link
        to={to}
        className="flex min-h-14 items-center gap-3 overflow-hidden rounded-md border border-line bg-surface pr-3 text-sm transition-colors hover:border-line-strong"
      >
        {cover && <Cover src={cover} size={64} loading="lazy" className="size-14 shrink-0 sm:size-16" />}
        <span className={clsx('min-w-0', !cover && 'pl-4')}>
          <span className="line-clamp-2 font-medium text-balance">{name}</span>{' '}
          <span className="text-xs text-muted">{format.number(count)}</span>
        </span>
      </Link>
    </li>
  );
}

function RecentSearches() {
  const t = useT();
  const terms = useRecentSearches();
  if (terms.length === 0) return null;
  const remove = (term: string) =>
    toastWithUndo(t('articles.forgotten', { term }), removeRecentSearch(term), 'message');
  const removeAll = () => toastWithUndo(t('articles.allForgotten'), clearRecentSearches(), 'message');
  return (
    <Section
      title={t('articles.recent')}
      action={<Button onClick={removeAll}>{t('articles.forgetAll')}</Button>}
    >
      {terms.map((term) => (
        <li key={term} className="flex items-center rounded-full border border-line bg-surface">
          <Link to={paths.articles('search', term)} className="flex min-h-11 items-center pl-4 text-sm">
            {term}
          </Link>
          <IconButton label={t('articles.forget', { term })} onClick={() => remove(term)}>
            <X />
          </IconButton>
        </li>
      ))}
    </Section>
  );
}

function Languages({ facets, language }: { facets: Facets; language: SearchFilters['language'] }) {
  const t = useT();
  const format = useFormat();
  const total = facets.language.reduce((sum, { count }) => sum + count, 0);
  const options = [
    { value: 'all', name: t('articles.allLanguages'), count: total, isCurrent: language === undefined },
    ...facets.language.map(({ value, count }) => ({
      value,
      name: getFilterValueName(t, 'language', value),
      count,
      isCurrent: value === language,
    })),
  ];
  return (
    <nav aria-label={t('articles.languages')}>
      <ul className={clsx(choiceRow, 'mb-3')}>
        {options.map(({ value, name, count, isCurrent }) => (
          <li key={value}>
            <Link
              to={addQuery(paths.search, { language: value })}
              replace
              aria-current={isCurrent || undefined}
              className={clsx(
                'flex min-h-11 items-center gap-2 rounded-full border px-4 text-sm',
                isCurrent
                  ? 'border-accent bg-accent-soft text-accent-text'
                  : 'border-line bg-surface hover:border-line-strong',
              )}
            >
              {name}{' '}
              <span className={clsx('text-xs', !isCurrent && 'text-muted')}>{format.number(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const browseFilters = filterNames.filter((name) => name !== 'language');

interface Props {
  /** Undefined for all languages. */
  language: SearchFilters['language'];
  onFilter: (values: Record<string, string>) => void;
}

/** The catalogue by topic, level and kind, in one language or all, shown before a search (CAT-03). */
export function Browse({ language, onFilter }: Props) {
  const t = useT();
  const query = useQuery(browseQuery(language));
  if (!query.data) return <QueryFallback query={query} loading={<RowsSkeleton />} />;
  const { facets, covers, totalDocs } = query.data;
  // Without a network, the topics of the language before would stay as if they were of this one.
  if (query.isPaused && query.isPlaceholderData)
    return (
      <>
        <Languages facets={facets} language={language} />
        <QueryFallback query={query} />
      </>
    );
  const kinds = new Map<string, { to: string; name: string }>([
    ['article', { to: addQuery(paths.search, { kind: 'article', language }), name: t('articles.articles') }],
    [
      'audiobook',
      { to: addQuery(paths.articles('audiobooks'), { language }), name: t('articles.audiobooks') },
    ],
    ['visual-book', { to: paths.visualBook, name: t('shell.visualBooks') }],
  ]);
  const getTile = (name: FilterName, value: string) =>
    (name === 'kind' && kinds.get(value)) || {
      to: addQuery(paths.articles(name, value), { language }),
      name: getFilterValueName(t, name, value),
    };
  return (
    <>
      <Languages facets={facets} language={language} />
      <FilterBar names={browseFilters} facets={facets} isSampled={false} filters={{}} onChange={onFilter} />
      <Link to={addQuery(paths.articles('latest'), { language })} className={buttonClassName('soft')}>
        {t.count('articles.allNewest', totalDocs)}
      </Link>
      <RecentSearches />
      {(['topic', 'level', 'kind'] as const).map((name) => (
        <Section key={name} title={t(`articles.by_${name}`)} isGrid>
          {facets[name].map(({ value, count }) => (
            <Tile key={value} {...getTile(name, value)} count={count} cover={covers[`${name}:${value}`]} />
          ))}
        </Section>
      ))}
    </>
  );
}
