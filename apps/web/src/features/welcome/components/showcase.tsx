import { api, contentLanguage, type Preview } from '@escucho/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect } from 'react';
import { Link } from 'wouter';
import { call } from '#shared/api/client.ts';
import type { Language } from '#shared/choices.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Cover } from '#shared/ui/cover.tsx';
import { InlineQueryFallback, Skeleton } from '#shared/ui/states.tsx';
import { SamplePlayer } from './sample-player.tsx';

interface LanguageProps {
  /** The language of the catalogue that is shown. */
  language: Language;
}

/** The choice of the language that the visitor wants to listen to. */
export function LanguageChoice({ language, onChange }: LanguageProps & { onChange: (to: Language) => void }) {
  const t = useT();
  return (
    // No legend: WebKit does not place one beside the choices.
    <fieldset aria-labelledby="welcome-listen-to" className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <span id="welcome-listen-to" className="text-sm text-muted">
        {t('welcome.listenTo')}
      </span>
      <div className="flex flex-wrap rounded-[1.5rem] border border-line bg-surface p-1 text-sm">
        {contentLanguage.options.map((option) => (
          <label key={option} className="choice">
            <input
              type="radio"
              name="welcome-language"
              className="sr-only"
              checked={option === language}
              onChange={() => onChange(option)}
            />
            {t(`discover.language_${option}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The catalogue in one language, with a sample that plays without an account. */
const showcaseQuery = (language: Language) =>
  queryOptions({
    queryKey: ['showcase', language],
    queryFn: ({ signal }) => call(api.visitors.findShowcase, { query: { language } }, { signal }),
    // Fetched again while the page is open, the audio would start over.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Returns the query of the catalogue in a language. Its data is rendered in short tasks: the text of a sample is long. */
function useShowcase(language: Language) {
  const query = useQuery(showcaseQuery(language));
  return { ...query, data: useDeferredValue(query.data) };
}

/** A sample in a language: its player, its placeholder or why there is none; nothing where the catalogue has none. */
export function SampleCard({ language }: LanguageProps) {
  const t = useT();
  const query = useShowcase(language);
  const { data, dataUpdatedAt, refetch } = query;
  // Requested once its text is rendered, an optional font would often come too late to be used.
  useEffect(() => void document.fonts.load('1em Fraunces').catch(() => undefined), []);
  if (data && !data.sample) return null;
  return (
    <div className="min-h-[31rem] rounded-[1.25rem] border border-line bg-surface shadow-pop">
      {data?.sample ? (
        <SamplePlayer
          key={`${data.sample._id} ${dataUpdatedAt}`}
          sample={data.sample}
          onRetry={() => void refetch()}
        />
      ) : (
        <InlineQueryFallback
          query={query}
          text={t('welcome.sampleFailed')}
          className="grid h-full place-content-center justify-items-center gap-4 p-6 text-center text-muted"
          loading={<SampleSkeleton />}
        />
      )}
    </div>
  );
}

const lines = ['w-full', 'w-11/12', 'w-4/5', 'w-full', 'w-2/3'];

const SampleSkeleton = () => (
  <div aria-hidden className="p-5 sm:p-6">
    <div className="flex items-center gap-4">
      <Skeleton className="size-16 shrink-0 sm:size-28" />
      <div className="grow">
        <Skeleton className="h-6 w-11/12" />
        <Skeleton className="mt-3 h-4 w-2/3" />
      </div>
    </div>
    <div className="mt-10 grid gap-4">
      {lines.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
        <Skeleton key={index} className={`h-5 ${width}`} />
      ))}
    </div>
  </div>
);

/** The newest articles of a language by their covers; nothing where the catalogue is empty or cannot be read. */
export function NewestCovers({ language }: LanguageProps) {
  const t = useT();
  const { data, isError } = useShowcase(language);
  if (isError || data?.newest.length === 0) return null;
  return (
    <section className="mt-20">
      <h2 className="heading text-xl">{t(language === 'en' ? 'welcome.newestEn' : 'welcome.newestEs')}</h2>
      <p className="mt-1 min-h-6 text-muted">{data && t.count('welcome.articles', data.totalDocs)}</p>
      <ul className="mt-6 grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-6">
        {data
          ? data.newest.map((article) => <NewestCover key={article._id} article={article} />)
          : lines.concat('').map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never change
              <li key={index}>
                <Skeleton className="aspect-square w-full" />
                <Skeleton className="mt-3 h-4 w-11/12" />
              </li>
            ))}
      </ul>
    </section>
  );
}

function NewestCover({ article }: { article: Preview }) {
  const format = useFormat();
  return (
    <li className="group relative max-sm:nth-[n+7]:hidden">
      <div className="overflow-hidden rounded-md">
        <Cover
          src={article.image}
          size={320}
          loading="lazy"
          className="aspect-square w-full transition-transform duration-200 group-hover:scale-102"
        />
      </div>
      <h3 lang={article.language} className="mt-2.5 line-clamp-2 text-sm font-semibold">
        <Link to={paths.article(article._id)} className="after:absolute after:inset-0">
          {article.title}
        </Link>
      </h3>
      <p className="mt-0.5 text-xs text-muted">
        {article.level} · {format.duration(article.duration)}
      </p>
    </li>
  );
}
