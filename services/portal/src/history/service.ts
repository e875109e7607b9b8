import { AppError, type ListeningStatistics, limits } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/service.ts';
import type { ListeningService } from '../listening/service.ts';
import type { HistoryRepository } from './repository.ts';
import { countDaysInARow, createDateFormatter, getLastDays, getSecondsByDay } from './statistics.ts';

interface HistoryServiceDeps {
  history: HistoryRepository;
  listening: Pick<ListeningService, 'findHistory'>;
  clock: () => Date;
}

/** What a reader heard, and what it comes to. Taking something out of the history changes neither places nor figures. */
export function createHistoryService({ history, listening, clock }: HistoryServiceDeps) {
  return {
    find: listening.findHistory,

    clear: async (reader: CurrentUser): Promise<{ removed: number }> => ({
      removed: await history.clear(reader.id),
    }),

    async remove(reader: CurrentUser, track: string): Promise<{ _id: string }> {
      if (!(await history.remove(reader.id, track))) throw new AppError('not_found');
      return { _id: track };
    },

    /** The way back. Throws `not_found` for what was never heard. */
    async restore(reader: CurrentUser, track: string): Promise<{ _id: string }> {
      if (!(await history.restore(reader.id, track))) throw new AppError('not_found');
      return { _id: track };
    },

    /** In: a time zone by its IANA name, whose days count. */
    async findStatistics(reader: CurrentUser, timeZone: string): Promise<ListeningStatistics> {
      const now = clock().getTime();
      const dateAt = createDateFormatter(timeZone);
      const days = getLastDays(limits.figures.days, now, dateAt);
      const [entries, signs, finished] = await Promise.all([
        history.findEvents(reader.id, new Date(days[0]?.from ?? now)),
        history.findListeningTimes(reader.id),
        history.countFinished(reader.id),
      ]);
      const dates = new Set(signs.map((at) => dateAt(at.getTime())));
      return {
        days: getSecondsByDay(entries, days),
        daysInARow: countDaysInARow(dates, dateAt(now)),
        finished,
      };
    },
  };
}

export type HistoryService = ReturnType<typeof createHistoryService>;
