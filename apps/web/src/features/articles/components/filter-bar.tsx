import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Select } from '#shared/ui/select.tsx';
import { type FilterName, getFilterValueName, type SearchFilters } from '../model/filters.ts';

/** The values of each filter, with the number of articles where it is known. */
type FilterValues = Partial<Record<FilterName, readonly { value: string; count: number | null }[]>>;

interface Props {
  /** The filters to show. */
  names: readonly FilterName[];
  /** Undefined until they are loaded. */
  facets: FilterValues | undefined;
  /** Whether the counts are lower bounds. */
  isSampled: boolean;
  filters: SearchFilters;
  /** Sets filters by name; an empty value removes one. */
  onChange: (values: Record<string, string>) => void;
}

/** A row of choices, which scrolls sideways on phones. */
export const choiceRow =
  'flex gap-2 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:[scrollbar-width:none] sm:flex-wrap [&>*]:shrink-0';

/** The filters of a search or a list, each option with the number of results it would leave (CAT-03). */
export function FilterBar({ names, facets, isSampled, filters, onChange }: Props) {
  const t = useT();
  const format = useFormat();
  return (
    <fieldset className={clsx(choiceRow, 'mb-4 min-w-0')}>
      <legend className="sr-only">{t('articles.filters')}</legend>
      {names.map((name) => {
        const selected = filters[name] ?? '';
        const counts = facets?.[name] ?? [];
        // The selected value is listed even where it leaves no result.
        const isListed = counts.some(({ value }) => value === selected) || selected === '';
        const options = isListed ? counts : [...counts, { value: selected, count: facets ? 0 : null }];
        return (
          <Select
            key={name}
            aria-label={t(`articles.filter_${name}`)}
            value={selected}
            onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
            className={clsx(
              'field-sizing-content h-11 rounded-full border bg-surface pl-4 text-sm',
              selected ? 'border-accent text-accent-text' : 'border-line hover:border-line-strong',
            )}
          >
            <option value="">{t(`articles.filter_${name}`)}</option>
            {options.map(({ value, count }) => (
              <option key={value} value={value}>
                {count !== null
                  ? `${getFilterValueName(t, name, value)} (${format.number(count)}${isSampled ? '+' : ''})`
                  : getFilterValueName(t, name, value)}
              </option>
            ))}
          </Select>
        );
      })}
      {names.some((name) => filters[name]) && (
        <Button
          onClick={() => onChange(Object.fromEntries(names.map((name) => [name, ''])))}
          className="max-sm:order-first"
        >
          <X aria-hidden className="size-4" />
          {t('articles.clearFilters')}
        </Button>
      )}
    </fieldset>
  );
}
