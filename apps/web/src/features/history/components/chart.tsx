import type { ListeningStatistics } from '@escucho/contracts';
import { type PointerEvent, useState } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { barsOf, noonOf } from '../model/chart.ts';

/** Days as bars, one of them spelled out: today, or the one under the pointer. A table says the same to those who do not see it. */
export function Chart({ days }: Pick<ListeningStatistics, 'days'>) {
  const t = useT();
  const format = useFormat();
  const today = days.length - 1;
  const [looked, look] = useState(today);
  const duration = (seconds: number) => (seconds > 0 ? format.duration(seconds) : t('statistics.silent'));
  const nameOf = (index: number, date: string) =>
    index === today ? t('statistics.today') : format.date(noonOf(date));
  const pointed = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    look(Math.max(0, Math.min(today, Math.floor(((clientX - left) / width) * days.length))));
  };
  const day = days[looked] ?? days[today];
  return (
    <figure>
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 text-xs text-muted">
        {t('statistics.chart')}
        <span aria-hidden className="tabular-nums">
          {day && `${nameOf(looked, day.date)} · ${duration(day.seconds)}`}
        </span>
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${days.length} 100`}
        preserveAspectRatio="none"
        fill="currentColor"
        onPointerMove={pointed}
        onPointerDown={pointed}
        onPointerLeave={() => look(today)}
        className="mt-3 h-24 w-full border-b border-line text-accent"
      >
        {barsOf(days).map(({ date, seconds, height }, index) => {
          const tall = seconds > 0 ? Math.max(3, height * 100) : 0;
          return (
            <rect
              key={date}
              x={index + 0.15}
              y={100 - tall}
              width={0.7}
              height={tall}
              opacity={index === looked ? 1 : 0.5}
            />
          );
        })}
      </svg>
      <p aria-hidden className="mt-1.5 flex justify-between text-xs text-muted">
        <span>{days[0] && format.date(noonOf(days[0].date))}</span>
        <span>{t('statistics.today')}</span>
      </p>
      {/* A table takes the room of its rows whatever its size is said to be. */}
      <div className="sr-only">
        <table>
          <caption>{t('statistics.chart')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('statistics.day')}</th>
              <th scope="col">{t('statistics.listened')}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, seconds }, index) => (
              <tr key={date}>
                <th scope="row">{nameOf(index, date)}</th>
                <td>{duration(seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
