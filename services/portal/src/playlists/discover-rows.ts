import { LRUCache } from 'lru-cache';
import type { CurrentUser } from '../accounts/user.ts';
import type { Links } from '../media/links.ts';
import { mayPlay } from '../media/policy.ts';
import { selectRowTracks } from './policy.ts';
import { toPlaylist, toSharedTrack } from './presenter.ts';
import { COVER_COUNT, type PlaylistRepository } from './repository.ts';

const DISCOVER = { rows: 20, tracks: 12 };
const MAX_CACHED = 100;

/** The users who see the same rows, apart from their progress and favourites. */
type Audience = Pick<CurrentUser, 'learning'> & { isSubscribed: boolean };

/** A row of Discover as JSON text: up to its tracks, and each track up to the user's own properties. */
interface RowText {
  start: string;
  tracks: { id: string; start: string }[];
}

interface DiscoverRowsDeps {
  playlists: Pick<PlaylistRepository, 'findSystemPlaylists' | 'findCatalogueVersion' | 'findMarks'>;
  links: Links;
  clock: () => Date;
}

/** Returns the text of an object without its closing brace, so that properties can follow. */
const toOpenText = (body: object): string => JSON.stringify(body).slice(0, -1);

/**
 * Creates a function that returns the rows of Discover (CAT-02) as JSON text: each system playlist with its first tracks that
 * suit the user. What all users of an audience have in common is built once for each version of the catalogue. A user's own
 * properties are read with the version, so the rows are never older than the response.
 */
export function createDiscoverRows({ playlists, links, clock }: DiscoverRowsDeps) {
  async function buildRows({ learning, isSubscribed }: Audience): Promise<RowText[]> {
    const rows = await playlists.findSystemPlaylists(DISCOVER, learning);
    return rows.map((row) => {
      const shown = selectRowTracks(row, learning, isSubscribed);
      const playlist = toPlaylist({ ...row, images: shown.slice(0, COVER_COUNT) }, links);
      return {
        start: `${toOpenText({ playlist })},"tracks":[`,
        tracks: shown.map((track) => {
          const isPlayable = mayPlay(isSubscribed, row, track.id === row.first ? 0 : 1);
          return { id: track.id, start: toOpenText(toSharedTrack(track, row, isPlayable, links)) };
        }),
      };
    });
  }

  const cache = new LRUCache<string, RowText[], Audience>({
    max: MAX_CACHED,
    ttl: links.reusableMs,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
    fetchMethod: (_key, _stale, { context }) => buildRows(context),
  });
  /** The latest version that was read. */
  let known: number | undefined;

  return async function findRows({ id, learning, subscription }: CurrentUser): Promise<string> {
    const context: Audience = { learning, isSubscribed: subscription.isActive };
    const findShared = (of: number) => cache.forceFetch(JSON.stringify([of, context]), { context });
    const findMarks = (rows: readonly RowText[]) =>
      playlists.findMarks(id, [...new Set(rows.flatMap(({ tracks }) => tracks.map((track) => track.id)))]);

    const expected = known ?? (await playlists.findCatalogueVersion());
    let rows = await findShared(expected);
    let found = await findMarks(rows);
    known = found.version;
    if (known !== expected) {
      rows = await findShared(known);
      found = await findMarks(rows);
    }
    const marks = new Map(found.marks.map((mark) => [mark.id, mark]));
    const toTrackText = (track: RowText['tracks'][number]) => {
      const { progress = 0, like = false } = marks.get(track.id) ?? {};
      return `${track.start},"progress":${progress},"like":${like}}`;
    };
    return `[${rows.map(({ start, tracks }) => `${start}${tracks.map(toTrackText).join(',')}]}`).join(',')}]`;
  };
}

export type FindDiscoverRows = ReturnType<typeof createDiscoverRows>;
