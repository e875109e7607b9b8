import { AppError, type ListeningStatistics, limits } from '@escucho/contracts';
import type { Reader } from '../accounts/service.ts';
import type { ListeningService } from '../listening/service.ts';
import { calendar, daysInARow, lastDays, secondsByDay } from './policy.ts';
import type { HistoryRepository } from './repository.ts';

interface Ports {
  history: HistoryRepository;
  listening: Pick<ListeningService, 'findHistory'>;
  clock: () => Date;
}

/** What a reader heard, and what it comes to. Taking something out of the history changes neither places nor figures. */
export function historyService({ history, listening, clock }: Ports) {
  return {
    find: listening.findHistory,

    clear: async (reader: Reader): Promise<{ removed: number }> => ({
      removed: await history.clear(reader.id),
    }),

    async remove(reader: Reader, track: string): Promise<{ _id: string }> {
      if (!(await history.remove(reader.id, track))) throw new AppError('not_found');
      return { _id: track };
    },

    /** The way back. Throws `not_found` for what was never heard. */
    async restore(reader: Reader, track: string): Promise<{ _id: string }> {
      if (!(await history.restore(reader.id, track))) throw new AppError('not_found');
      return { _id: track };
    },

    /** In: a time zone by its IANA name, whose days count. */
    async findFigures(reader: Reader, timeZone: string): Promise<ListeningStatistics> {
      const now = clock().getTime();
      const dateAt = calendar(timeZone);
      const days = lastDays(limits.figures.days, now, dateAt);
      const [entries, signs, finished] = await Promise.all([
        history.findEntries(reader.id, new Date(days[0]?.from ?? now)),
        history.findSigns(reader.id),
        history.countFinished(reader.id),
      ]);
      const dates = new Set(signs.map((at) => dateAt(at.getTime())));
      return {
        days: secondsByDay(entries, days),
        daysInARow: daysInARow(dates, dateAt(now)),
        finished,
      };
    },
  };
}

export type HistoryService = ReturnType<typeof historyService>;
