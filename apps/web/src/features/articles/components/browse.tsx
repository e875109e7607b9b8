import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { addQuery, paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { QueryError } from '#shared/ui/states.tsx';
import { toast } from '#shared/ui/toast.ts';
import { getFilterValueName } from '../labels.ts';
import { browseQuery } from '../queries.ts';
import { clearRecentSearches, removeRecentSearch, useRecentSearches } from '../recent-searches.ts';

const Section = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <section className="mt-8">
    <div className="mb-2 flex min-h-11 items-center justify-between gap-4">
      <h2 className="font-serif text-lg font-semibold tracking-tight">{title}</h2>
      {action}
    </div>
    <ul className="flex flex-wrap gap-2">{children}</ul>
  </section>
);

const facetStyle =
  'flex min-h-11 items-center gap-2 rounded-full border border-line bg-surface px-4 text-sm hover:border-line-strong';

function FacetLink({ to, name, count }: { to: string; name: string; count: number }) {
  const format = useFormat();
  return (
    <li>
      <Link to={to} className={facetStyle}>
        {name} <span className="text-xs text-muted">{format.number(count)}</span>
      </Link>
    </li>
  );
}

/** The recent searches, to repeat or to remove. */
function RecentSearches() {
  const t = useT();
  const terms = useRecentSearches((recent) => recent.terms);
  if (terms.length === 0) return null;
  const remove = (term: string) => {
    const restore = removeRecentSearch(term);
    toast(t('articles.forgotten', { term }), 'message', 'top-right', {
      label: t('common.undo'),
      run: restore,
    });
  };
  return (
    <Section
      title={t('articles.recent')}
      action={<Button onClick={clearRecentSearches}>{t('articles.forgetAll')}</Button>}
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

/** The catalogue by topic, level, language and kind, shown before a search (CAT-03). */
export function Browse() {
  const t = useT();
  const query = useQuery(browseQuery);
  const { data, error, isPaused } = query;
  if (!data && (error || isPaused)) return <QueryError query={query} />;
  const facets = data?.facets;
  const kinds = {
    article: addQuery(paths.search, { kind: 'article' }),
    audiobook: paths.articles('audiobooks'),
    'visual-book': paths.visualBook,
  };
  return (
    <>
      <RecentSearches />
      {facets ? (
        <>
          <Section title={t('articles.topics')}>
            {facets.topic.map(({ value, count }) => (
              <FacetLink
                key={value}
                to={paths.articles('topic', value)}
                name={getFilterValueName(t, 'topic', value)}
                count={count}
              />
            ))}
          </Section>
          <Section title={t('articles.levels')}>
            {facets.level.map(({ value, count }) => (
              <FacetLink key={value} to={paths.articles('level', value)} name={value} count={count} />
            ))}
          </Section>
          <Section title={t('articles.languages')}>
            {facets.language.map(({ value, count }) => (
              <FacetLink
                key={value}
                to={addQuery(paths.search, { language: value })}
                name={getFilterValueName(t, 'language', value)}
                count={count}
              />
            ))}
          </Section>
          <Section title={t('articles.kinds')}>
            <FacetLink to={paths.articles('latest')} name={t('articles.latest')} count={data.totalDocs} />
            {facets.kind.map(({ value, count }) => (
              <FacetLink
                key={value}
                to={kinds[value]}
                name={getFilterValueName(t, 'kind', value)}
                count={count}
              />
            ))}
          </Section>
        </>
      ) : (
        <div role="status" className="mt-8 grid gap-4">
          <span className="sr-only">{t('common.loading')}</span>
          {['a', 'b', 'c'].map((name) => (
            <Skeleton key={name} className="h-12" />
          ))}
        </div>
      )}
    </>
  );
}
