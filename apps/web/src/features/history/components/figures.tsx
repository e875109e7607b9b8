import type { ListeningStatistics as Values } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Button, buttonClassName } from '#shared/ui/button.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { secondsOfLast, standingOf } from '../model/chart.ts';
import { figuresQuery } from '../queries.ts';
import { Chart } from './chart.tsx';

const week = 7;

const Figure = ({ value, label }: { value: string; label: string }) => (
  <div className="grid content-between">
    <dt className="text-xs text-muted text-balance">{label}</dt>
    <dd className="mt-1 font-serif text-xl font-semibold tracking-tight">{value}</dd>
  </div>
);

/** The place of the figures until there are some. */
function Invitation() {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div>
        <p className="font-semibold">{t('statistics.emptyTitle')}</p>
        <p className="mt-1 text-sm text-muted text-pretty">{t('statistics.emptyText')}</p>
      </div>
      <Link to={paths.discover} className={buttonClassName('soft')}>
        {t('statistics.emptyAction')}
      </Link>
    </div>
  );
}

function Told({ figures }: { figures: Values }) {
  const t = useT();
  const format = useFormat();
  const { days, daysInARow, finished } = figures;
  const standing = standingOf(figures);
  if (standing === 'new') return <Invitation />;
  const seconds = secondsOfLast(week, days);
  return (
    <div className="grid gap-6">
      <div>
        <dl className="grid grid-cols-3 gap-4">
          <Figure
            value={seconds > 0 ? format.duration(seconds) : format.number(0)}
            label={t('statistics.week')}
          />
          <Figure value={format.number(daysInARow)} label={t.count('statistics.row', daysInARow)} />
          <Figure value={format.number(finished)} label={t.count('statistics.finished', finished)} />
        </dl>
        {standing === 'at-risk' && (
          <p className="mt-4 text-sm text-accent-text">{t.count('statistics.keep', daysInARow)}</p>
        )}
      </div>
      <Chart days={days} />
    </div>
  );
}

/** Listening in figures: the last days, days in a row, pieces finished. */
export function Figures() {
  const t = useT();
  const { data, isError, isPaused, refetch } = useQuery(figuresQuery);
  return (
    <section aria-labelledby="library-figures">
      <h2 id="library-figures" className="mb-4 font-serif text-lg font-semibold tracking-tight">
        {t('statistics.title')}
      </h2>
      {data ? (
        <div className="rounded-lg border border-line bg-surface p-5">
          <Told figures={data} />
        </div>
      ) : isError || isPaused ? (
        <div role="alert" className="flex flex-wrap items-center gap-4 text-muted">
          {t('statistics.failed')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </div>
      ) : (
        <div role="status">
          <span className="sr-only">{t('common.loading')}</span>
          <Skeleton className="h-40 rounded-lg" />
        </div>
      )}
    </section>
  );
}
