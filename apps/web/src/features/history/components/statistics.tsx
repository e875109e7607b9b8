import type { ListeningStatistics } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useState } from 'react';
import { Link } from 'wouter';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { buttonClassName } from '#shared/ui/button.tsx';
import { InlineQueryFallback, LoadingStatus, Skeleton } from '#shared/ui/states.tsx';
import { getStreakState, sumLastDays, toBars } from '../model/statistics.ts';
import { statisticsQuery } from '../queries.ts';

/** The days as bars, with a caption for today or the day that was tapped or is under the pointer, and as a table. */
function Chart({ days }: Pick<ListeningStatistics, 'days'>) {
  const t = useT();
  const format = useFormat();
  const today = days.length - 1;
  const [selected, setSelected] = useState(today);
  const formatDuration = (seconds: number) =>
    seconds > 0 ? format.duration(seconds) : t('statistics.silent');
  const getDayName = (index: number, date: string) =>
    index === today ? t('statistics.today') : format.day(date);
  const selectDay = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setSelected(Math.max(0, Math.min(today, Math.floor(((clientX - left) / width) * days.length))));
  };
  const day = days[selected] ?? days[today];
  return (
    <figure>
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 text-xs text-muted">
        {t('statistics.chart')}
        <span aria-hidden className="tabular-nums">
          {day && `${getDayName(selected, day.date)} · ${formatDuration(day.seconds)}`}
        </span>
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${days.length} 100`}
        preserveAspectRatio="none"
        fill="currentColor"
        onPointerMove={selectDay}
        onPointerDown={selectDay}
        onPointerLeave={({ pointerType }) => {
          // A finger leaves as it is lifted, before the caption can be read.
          if (pointerType !== 'touch') setSelected(today);
        }}
        className="mt-3 h-24 w-full border-b border-line text-accent"
      >
        {toBars(days).map(({ date, seconds, height }, index) => {
          const barHeight = seconds > 0 ? Math.max(3, height * 100) : 0;
          return (
            <rect
              key={date}
              x={index + 0.15}
              y={100 - barHeight}
              width={0.7}
              height={barHeight}
              opacity={index === selected ? 1 : 0.5}
            />
          );
        })}
      </svg>
      <p aria-hidden className="mt-1.5 flex justify-between text-xs text-muted">
        <span>{days[0] && format.day(days[0].date)}</span>
        <span>{t('statistics.today')}</span>
      </p>
      <details className="mt-2 text-sm">
        <summary className="w-fit py-3 text-muted">{t('statistics.asTable')}</summary>
        <table className="w-full max-w-sm text-left [&_th]:font-normal">
          <caption className="sr-only">{t('statistics.chart')}</caption>
          <thead className="text-muted">
            <tr>
              <th scope="col">{t('statistics.day')}</th>
              <th scope="col" className="text-right">
                {t('statistics.listened')}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, seconds }, index) => (
              <tr key={date}>
                <th scope="row">{getDayName(index, date)}</th>
                <td className="py-1 text-right tabular-nums">{formatDuration(seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const WEEK_DAYS = 7;

const Statistic = ({ value, label }: { value: string; label: string }) => (
  <div className="grid content-between">
    <dt className="text-xs text-muted text-balance">{label}</dt>
    <dd className="mt-1 heading text-xl">{value}</dd>
  </div>
);

/** Shown instead of the statistics before there are any. */
function EmptyStatistics() {
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

function StatisticsDetails({ statistics }: { statistics: ListeningStatistics }) {
  const t = useT();
  const format = useFormat();
  const { days, daysInARow, finished } = statistics;
  const state = getStreakState(statistics);
  if (state === 'new') return <EmptyStatistics />;
  const seconds = sumLastDays(WEEK_DAYS, days);
  return (
    <div className="grid gap-6">
      <div>
        <dl className="grid grid-cols-[repeat(auto-fit,minmax(4.25rem,1fr))] gap-4">
          <Statistic
            value={seconds > 0 ? format.duration(seconds) : format.number(0)}
            label={t('statistics.week')}
          />
          <Statistic value={format.number(daysInARow)} label={t.count('statistics.row', daysInARow)} />
          <Statistic value={format.number(finished)} label={t.count('statistics.finished', finished)} />
        </dl>
        {state === 'at-risk' && (
          <p className="mt-4 text-sm text-accent-text">{t.count('statistics.keep', daysInARow)}</p>
        )}
      </div>
      <Chart days={days} />
    </div>
  );
}

/** The listening statistics: the last days, days in a row, articles finished. */
export function Statistics() {
  const t = useT();
  const query = useQuery(statisticsQuery);
  return (
    <section aria-labelledby="library-statistics">
      <h2 id="library-statistics" className="mb-4 heading text-lg">
        {t('statistics.title')}
      </h2>
      {query.data ? (
        <div className="rounded-lg border border-line bg-surface p-5">
          <StatisticsDetails statistics={query.data} />
        </div>
      ) : (
        <InlineQueryFallback
          query={query}
          text={t('statistics.failed')}
          loading={
            <LoadingStatus>
              <Skeleton className="h-40 rounded-lg" />
            </LoadingStatus>
          }
        />
      )}
    </section>
  );
}
