import type { CurrentUser } from '../accounts/user.ts';
import type { ReadCatalogue } from '../catalogue/reads.ts';
import type { FindSharedResponse } from '../catalogue/shared-responses.ts';
import type { Links } from '../media/links.ts';
import { mayPlay } from '../media/policy.ts';
import { selectRowTracks } from './policy.ts';
import { toPlaylist, toSharedTrack } from './presenter.ts';
import { COVER_COUNT } from './repository.ts';

const DISCOVER = { rows: 20, tracks: 12 };

interface DiscoverRowsDeps {
  read: ReadCatalogue;
  links: Links;
  findShared: FindSharedResponse;
}

/**
 * Creates a function that returns the rows of Discover (CAT-02) as JSON text: each system playlist with its first tracks that
 * suit the user.
 */
export function createDiscoverRows({ read, links, findShared }: DiscoverRowsDeps) {
  return async function findRows(user: CurrentUser): Promise<string> {
    const { learning, subscription } = user;
    const isSubscribed = subscription.isActive;
    const response = await findShared(user, ['discover', learning], async (share, version) => {
      const rows = await read(version, ({ playlists }) => playlists.findSystemPlaylists(DISCOVER, learning));
      return rows.map((row) => {
        const shown = selectRowTracks(row, learning, isSubscribed);
        return {
          playlist: toPlaylist({ ...row, images: shown.slice(0, COVER_COUNT) }, links),
          tracks: shown.map((track) => {
            const isPlayable = mayPlay(isSubscribed, row, track.id === row.first ? 0 : 1);
            return share(toSharedTrack(track, row, isPlayable, links));
          }),
        };
      });
    });
    return response?.text ?? '[]';
  };
}

export type FindDiscoverRows = ReturnType<typeof createDiscoverRows>;
