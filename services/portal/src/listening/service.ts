import { AppError, type ProgressEntry } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/service.ts';
import type { CatalogueRepository } from '../catalogue/repository.ts';
import type { Links } from '../media/links.ts';
import { openTracks } from '../media/policy.ts';
import { type Paging, toWindow } from '../paging.ts';
import type { PlaylistRepository } from '../playlists/repository.ts';
import { isFromOtherDevice, mergeProgress } from './policy.ts';
import { toContinueListening, toHistoryEntry } from './presenter.ts';
import type { ListeningRepository, ProgressList, ProgressRow } from './repository.ts';

interface ListeningServiceDeps {
  listening: ListeningRepository;
  playlists: Pick<PlaylistRepository, 'findFirstTracks'>;
  catalogue: Pick<CatalogueRepository, 'findAudio'>;
  links: Links;
  clock: () => Date;
}

/** Where readers are in what they hear (PLAY-05), and what they may hear (PLAY-04). */
export function createListeningService({
  listening,
  playlists,
  catalogue,
  links,
  clock,
}: ListeningServiceDeps) {
  /** Which tracks the reader may play, as a question. In: the list that is played from, if one is named. */
  async function createPlayGate(reader: CurrentUser, playlist?: string): Promise<(track: string) => boolean> {
    if (reader.subscription.isActive) return () => true;
    const open = openTracks(await playlists.findFirstTracks(), playlist);
    return (track) => open.has(track);
  }

  async function findPlaces<Doc>(
    reader: CurrentUser,
    list: ProgressList,
    paging: Paging,
    present: (row: ProgressRow, playable: boolean, links: Links) => Doc,
  ): Promise<{ docs: Doc[]; totalDocs: number }> {
    const [{ rows, total }, mayPlay] = await Promise.all([
      listening.findProgress(reader.id, list, toWindow(paging)),
      createPlayGate(reader),
    ]);
    return { docs: rows.map((row) => present(row, mayPlay(row.id), links)), totalDocs: total };
  }

  return {
    /**
     * Saves a place. Out: where the reader is now, which an old or repeated entry does not change, and which device has gone on
     * there, where that is why.
     */
    saveProgress: (reader: CurrentUser, entry: ProgressEntry) =>
      listening.save(async ({ lockProgress: lock, appendEvent: append, updateProgress: write }) => {
        const now = clock();
        const place = await lock(reader.id, entry.track, now);
        if (!place) throw new AppError('not_found');
        const { isNew, lastSequence } = await append(reader.id, entry, now);
        const stood = (now.getTime() - place.listenedAt.getTime()) / 1000;
        const { duration } = place;
        const next = isNew
          ? mergeProgress(place, entry, { lastSequence, duration, unchangedForSeconds: stood })
          : undefined;
        if (next && next !== place) await write(reader.id, entry.track, next, now);
        return {
          ...{ track: entry.track, progress: (next ?? place).position },
          ...(next && isFromOtherDevice(next, entry) && { heardOn: next.deviceKind }),
        };
      }),

    findContinueListening: (reader: CurrentUser, paging: Paging) =>
      findPlaces(reader, 'in_continue_listening', paging, toContinueListening),

    /** What the reader heard, last heard first. */
    findHistory: (reader: CurrentUser, paging: Paging) =>
      findPlaces(reader, 'in_history', paging, toHistoryEntry),

    async removeContinueListening(reader: CurrentUser, track: string): Promise<{ _id: string }> {
      if (!(await listening.removeFromContinueListening(reader.id, track))) throw new AppError('not_found');
      return { _id: track };
    },

    /**
     * A fresh address of a track's audio. In: the list it is played from; without one the rule for continue listening
     * holds. Throws `not_found`, `subscription_required`.
     */
    async grantAudio(reader: CurrentUser, track: string, playlist?: string) {
      const [audio, mayPlay] = await Promise.all([
        catalogue.findAudio(track),
        createPlayGate(reader, playlist),
      ]);
      if (!audio) throw new AppError('not_found');
      if (!mayPlay(track)) throw new AppError('subscription_required');
      const { url, expiresAt } = links.audio(audio.audio, audio.duration);
      return { url, expiresAt: expiresAt.toISOString() };
    },
  };
}

export type ListeningService = ReturnType<typeof createListeningService>;
