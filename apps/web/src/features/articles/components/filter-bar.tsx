import type { Facets } from '@escucho/contracts';
import { X } from 'lucide-react';
import { type MessageKey, type T, useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { cn } from '#shared/ui/cn.ts';
import { type Filters, filterNames, isNarrowed } from '../model/filters.ts';
import { topicName } from '../topic.ts';

type Name = (typeof filterNames)[number];

const labels: Record<Name, MessageKey> = {
  language: 'articles.language',
  level: 'articles.level',
  kind: 'articles.kind',
  topic: 'articles.topic',
  length: 'articles.length',
};
const values: Record<string, MessageKey> = {
  en: 'discover.languageEn',
  es: 'discover.languageEs',
  article: 'articles.kindArticle',
  audiobook: 'articles.kindAudiobook',
  'visual-book': 'articles.kindVisualBook',
  short: 'articles.short',
  medium: 'articles.medium',
  long: 'articles.long',
};

/** What a filter's value is called. */
export function valueName(t: T, name: Name, value: string): string {
  const key = values[value];
  if (name === 'topic') return topicName(t, value);
  return key && name !== 'level' ? t(key) : value;
}

/** As wide as what is chosen, not as the longest of all. No class: styles ride in every page. */
const asWide = { fieldSizing: 'content' } as const;

interface Props {
  /** Undefined until they are known. */
  facets: Facets | undefined;
  /** Whether each would leave that much at least. */
  isSampled: boolean;
  filters: Filters;
  /** Sets filters by name; an empty value takes one away. */
  onChange: (values: Record<string, string>) => void;
}

/** The filters of a search, each with how much it would leave (CAT-03). */
export function FilterBar({ facets, isSampled, filters, onChange }: Props) {
  const t = useT();
  const format = useFormat();
  return (
    <fieldset className="mb-4 flex flex-wrap gap-2">
      <legend className="sr-only">{t('articles.filters')}</legend>
      {filterNames.map((name) => {
        const chosen = filters[name] ?? '';
        const counted: { value: string; count: number }[] = facets?.[name] ?? [];
        // What is chosen stays to be seen, also where nothing of it is left.
        const offered = counted.some(({ value }) => value === chosen) || chosen === '';
        const options = offered ? counted : [...counted, { value: chosen, count: 0 }];
        return (
          <select
            key={name}
            aria-label={t(labels[name])}
            style={asWide}
            value={chosen}
            onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
            className={cn(
              'h-11 max-w-full rounded-full border bg-surface px-4 text-sm',
              chosen ? 'border-accent text-accent-text' : 'border-line hover:border-line-strong',
            )}
          >
            <option value="">{t(labels[name])}</option>
            {options.map(({ value, count }) => (
              <option key={value} value={value}>
                {facets
                  ? `${valueName(t, name, value)} (${format.number(count)}${isSampled ? '+' : ''})`
                  : valueName(t, name, value)}
              </option>
            ))}
          </select>
        );
      })}
      {isNarrowed(filters) && (
        <Button onClick={() => onChange(Object.fromEntries(filterNames.map((name) => [name, ''])))}>
          <X aria-hidden className="size-4" />
          {t('articles.clearFilters')}
        </Button>
      )}
    </fieldset>
  );
}
