import { AppError, type ProgressEntry } from '@escucho/contracts';
import type { Reader } from '../accounts/service.ts';
import type { CatalogueRepository } from '../catalogue/repository.ts';
import type { Links } from '../media/links.ts';
import { openTracks } from '../media/policy.ts';
import { type Paging, windowOf } from '../paging.ts';
import type { PlaylistRepository } from '../playlists/repository.ts';
import { isElsewhere, merged } from './policy.ts';
import { toContinueListening, toHeard } from './presenter.ts';
import type { ListeningRepository, PlaceList, PlaceRow } from './repository.ts';

interface Ports {
  listening: ListeningRepository;
  playlists: Pick<PlaylistRepository, 'findBeginnings'>;
  catalogue: Pick<CatalogueRepository, 'findAudio'>;
  links: Links;
  clock: () => Date;
}

/** Where readers are in what they hear (PLAY-05), and what they may hear (PLAY-04). */
export function listeningService({ listening, playlists, catalogue, links, clock }: Ports) {
  /** Which tracks the reader may play, as a question. In: the list that is played from, if one is named. */
  async function gateFor(reader: Reader, playlist?: string): Promise<(track: string) => boolean> {
    if (reader.subscription.isActive) return () => true;
    const open = openTracks(await playlists.findBeginnings(), playlist);
    return (track) => open.has(track);
  }

  async function findPlaces<Doc>(
    reader: Reader,
    list: PlaceList,
    paging: Paging,
    present: (row: PlaceRow, playable: boolean, links: Links) => Doc,
  ): Promise<{ docs: Doc[]; totalDocs: number }> {
    const [{ rows, total }, mayPlay] = await Promise.all([
      listening.findPlaces(reader.id, list, windowOf(paging)),
      gateFor(reader),
    ]);
    return { docs: rows.map((row) => present(row, mayPlay(row.id), links)), totalDocs: total };
  }

  return {
    /**
     * Saves a place. Out: where the reader is now, which an old or repeated entry does not change, and which device has gone on
     * there, where that is why.
     */
    save: (reader: Reader, entry: ProgressEntry) =>
      listening.save(async ({ lock, append, write }) => {
        const now = clock();
        const place = await lock(reader.id, entry.track, now);
        if (!place) throw new AppError('not_found');
        const { isNew, lastSequence } = await append(reader.id, entry, now);
        const stood = (now.getTime() - place.heardAt.getTime()) / 1000;
        const { duration } = place;
        const next = isNew ? merged(place, entry, { lastSequence, duration, stood }) : undefined;
        if (next && next !== place) await write(reader.id, entry.track, next, now);
        return {
          ...{ track: entry.track, progress: (next ?? place).position },
          ...(next && isElsewhere(next, entry) && { heardOn: next.deviceKind }),
        };
      }),

    findContinue: (reader: Reader, paging: Paging) =>
      findPlaces(reader, 'in_continue_listening', paging, toContinueListening),

    /** What the reader heard, last heard first. */
    findHistory: (reader: Reader, paging: Paging) => findPlaces(reader, 'in_history', paging, toHeard),

    async removeContinue(reader: Reader, track: string): Promise<{ _id: string }> {
      if (!(await listening.unlist(reader.id, track))) throw new AppError('not_found');
      return { _id: track };
    },

    /**
     * A fresh address of a track's audio. In: the list it is played from; without one the rule for continue listening
     * holds. Throws `not_found`, `subscription_required`.
     */
    async grantAudio(reader: Reader, track: string, playlist?: string) {
      const [audio, mayPlay] = await Promise.all([catalogue.findAudio(track), gateFor(reader, playlist)]);
      if (!audio) throw new AppError('not_found');
      if (!mayPlay(track)) throw new AppError('subscription_required');
      const { url, expiresAt } = links.audio(audio.audio, audio.duration);
      return { url, expiresAt: expiresAt.toISOString() };
    },
  };
}

export type ListeningService = ReturnType<typeof listeningService>;
