import {
  AppError,
  api,
  type ContinueListening,
  type HistoryEntry,
  type ListeningStatistics,
  limits,
} from '@escucho/contracts';
import type { CurrentUser, Route } from '../accounts/user.ts';
import type { ContentDeps } from '../deps.ts';
import type { Links } from '../media/links.ts';
import type { Pagination } from '../pagination.ts';
import type { ListeningRepository, ProgressList, ProgressRow } from './repository.ts';
import { countDaysInARow, createDateFormatter, getLastDays, getSecondsByDay } from './statistics.ts';

const DAY_MS = 24 * 3_600_000;

interface ListeningServiceDeps extends ContentDeps {
  listening: ListeningRepository;
}

function toContinueListening(row: ProgressRow, isPlayable: boolean, links: Links): ContinueListening {
  return {
    _id: row.id,
    title: row.title,
    duration: row.duration,
    audio: isPlayable ? links.audio(row.audio, row.duration).url : null,
    image: links.picture(row.image),
    artwork: links.picture(row.artwork),
    language: row.language,
    level: row.level,
    narrator: {
      name: row.narrator,
      image: row.narrator_image === null ? null : links.picture(row.narrator_image),
    },
    progress: row.position,
    kind: row.kind,
    topic: row.topic,
    loudness: row.loudness,
    like: row.like,
    deviceKind: row.device_kind,
  };
}

const toHistoryEntry = (row: ProgressRow, isPlayable: boolean, links: Links): HistoryEntry => ({
  ...toContinueListening(row, isPlayable, links),
  listenedAt: row.listened_at.toISOString(),
});

/** Continue listening, the history and its statistics (PLAY-05, CAT-05, SUB-07), and access to audio (PLAY-04). */
export function createListeningService(deps: ListeningServiceDeps) {
  const { listening, access, catalogue, links, clock } = deps;

  async function findProgress<Doc>(
    user: CurrentUser,
    list: ProgressList,
    pagination: Pagination,
    toDoc: (row: ProgressRow, isPlayable: boolean, links: Links) => Doc,
  ): Promise<{ docs: Doc[]; totalDocs: number }> {
    const [{ rows, total }, { mayPlay }] = await Promise.all([
      listening.findProgress(user.id, list, pagination),
      access.findAccess(user),
    ]);
    return { docs: rows.map((row) => toDoc(row, mayPlay(row.id), links)), totalDocs: total };
  }

  return {
    findContinueListening: (user: CurrentUser, pagination: Pagination) =>
      findProgress(user, 'in_continue_listening', pagination, toContinueListening),

    /** Returns what the user listened to, most recent first. */
    findHistory: (user: CurrentUser, pagination: Pagination) =>
      findProgress(user, 'in_history', pagination, toHistoryEntry),

    /** Empties the history. Saved positions and statistics stay. */
    clearHistory: async (user: CurrentUser): Promise<{ removed: number }> => ({
      removed: await listening.clearHistory(user.id, clock()),
    }),

    async removeFromHistory(user: CurrentUser, track: string): Promise<{ _id: string }> {
      if (!(await listening.removeFromHistory(user.id, track, clock()))) throw new AppError('not_found');
      return { _id: track };
    },

    /** @throws AppError `not_found` for a track the user never listened to */
    async restoreToHistory(user: CurrentUser, track: string): Promise<{ _id: string }> {
      if (!(await listening.restoreToHistory(user.id, track))) throw new AppError('not_found');
      return { _id: track };
    },

    /** @param timeZone - IANA name of the time zone whose days are counted */
    async findStatistics(user: CurrentUser, timeZone: string): Promise<ListeningStatistics> {
      const now = clock().getTime();
      const formatDate = createDateFormatter(timeZone);
      const days = getLastDays(limits.statistics.days, now, formatDate);
      // The first event of a day counts the time since the one before it, from before midnight.
      const since = new Date((days[0]?.from ?? now) - DAY_MS);
      const [events, times, finished] = await Promise.all([
        listening.findEvents(user.id, since),
        listening.findListeningTimes(user.id),
        listening.countFinished(user.id),
      ]);
      const counted = getSecondsByDay(events, days);
      const listened = counted.filter(({ seconds }) => seconds > 0).map(({ date }) => date);
      const dates = new Set([...listened, ...times.map((time) => formatDate(time.getTime()))]);
      return {
        days: counted,
        daysInARow: countDaysInARow(dates, formatDate(now)),
        finished,
      };
    },

    /**
     * Returns a signed URL of a track's audio.
     *
     * @param playlist - the id of the playlist the track is played from; without one the rule of Continue listening applies
     * @throws AppError `not_found`, `subscription_required`
     */
    async grantAudio(user: CurrentUser, track: string, playlist?: string) {
      const [audio, { mayPlay }] = await Promise.all([
        catalogue.findAudio(track),
        access.findAccess(user, playlist),
      ]);
      if (!audio) throw new AppError('not_found');
      if (!mayPlay(track)) throw new AppError('subscription_required');
      const { url, expiresAt } = links.audio(audio.audio, audio.duration);
      return { url, expiresAt: expiresAt.toISOString() };
    },
  };
}

export type ListeningService = ReturnType<typeof createListeningService>;

/** Registers the endpoints of continue listening, audio, history and statistics. */
export function registerListening(route: Route, listening: ListeningService): void {
  route(api.listening.findContinueListening).handle(({ user, query }) =>
    listening.findContinueListening(user, query),
  );
  route(api.listening.grantAudio).handle(({ user, params, query }) =>
    listening.grantAudio(user, params.id, query.playlist),
  );
  route(api.listening.findHistory).handle(({ user, query }) => listening.findHistory(user, query));
  route(api.listening.clearHistory).handle(({ user }) => listening.clearHistory(user));
  route(api.listening.removeFromHistory).handle(({ user, params }) =>
    listening.removeFromHistory(user, params.id),
  );
  route(api.listening.restoreToHistory).handle(({ user, params }) =>
    listening.restoreToHistory(user, params.id),
  );
  route(api.listening.findStatistics).handle(({ user, query }) =>
    listening.findStatistics(user, query.timeZone),
  );
}
