import { AppError, type Track } from '@escucho/contracts';
import { JsonText } from '@escucho/service-kit';
import { createBatcher } from '../batches.ts';
import { createCoalescingCache, type IsAborted } from '../cache.ts';
import type { Listener } from '../media/access-service.ts';
import type { Links } from '../media/links.ts';
import type { PlaylistRepository } from '../playlists/repository.ts';

const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Property that stands for a user's own ones in a track, and has the track's id. No other text can produce its JSON, which
 * contains quotation marks.
 */
const OWN = '\u0000own';
const ownJson = /,"\\u0000own":"([^"]*)"/;

/** A track without the properties that belong to a user. */
type SharedTrack = Omit<Track, 'progress' | 'like'>;

/** What the responses of all users have in common, around the places of a user's own properties. */
interface SharedText {
  texts: readonly string[];
  /** The track of each place. */
  ids: readonly string[];
}

interface SharedResponsesDeps {
  playlists: Pick<PlaylistRepository, 'findCatalogueVersion' | 'findMarks'>;
  links: Pick<Links, 'reusableMs'>;
  clock: () => Date;
}

/**
 * Builds the body of a response from tracks that `share` has prepared, at a version of the catalogue or a newer one;
 * undefined once all callers have gone.
 */
type BuildBody = (
  share: (track: SharedTrack) => SharedTrack,
  version: number,
  isAborted: IsAborted,
) => Promise<object | undefined>;

async function buildText(
  build: BuildBody,
  version: number,
  isAborted: IsAborted,
): Promise<SharedText | undefined> {
  const body = await build((track) => ({ ...track, [OWN]: track._id }), version, isAborted);
  if (body === undefined) return undefined;
  // Text and ids in turn.
  const segments = JSON.stringify(body).split(ownJson);
  return {
    texts: segments.filter((_, index) => index % 2 === 0),
    ids: segments.filter((_, index) => index % 2 === 1),
  };
}

/**
 * Creates a function that returns a response with tracks as JSON text: pages of lists, search results, articles and the
 * rows of Discover. What all users have in common is built once for each version of the catalogue. A user's own properties
 * are read with the version, so that no response is older than its request, in any process.
 */
export function createSharedResponses({ playlists, links, clock }: SharedResponsesDeps) {
  const cache = createCoalescingCache<SharedText>({
    ttlMs: links.reusableMs,
    maxBytes: MAX_BYTES,
    getLength: ({ texts }) => texts.reduce((sum, text) => sum + text.length, 0),
    clock,
  });
  /** Nearly each request needs marks, so those of concurrent requests are read together. */
  const findMarks = createBatcher(playlists.findMarks);
  /** The latest version that was read. */
  let known: number | undefined;

  /**
   * Returns the text of a response; undefined once all callers have gone.
   *
   * @param key - what the body depends on, besides the catalogue, the user's subscription and, without one, what they learn,
   *   which decides what is free
   */
  return async function findShared(
    { id: userId, learning, subscription }: Listener,
    key: readonly unknown[],
    build: BuildBody,
    isAborted: IsAborted = () => false,
  ): Promise<JsonText | undefined> {
    const audience = subscription.isActive || learning;
    const find = (version: number) =>
      cache(JSON.stringify([version, audience, ...key]), isAborted, (haveAllGone) =>
        buildText(build, version, haveAllGone),
      );
    const expected = known ?? (await playlists.findCatalogueVersion());
    let shared = await find(expected);
    if (!shared) return undefined;
    let found = await findMarks({ userId, ids: [...new Set(shared.ids)] });
    known = found.version;
    if (known !== expected) {
      shared = await find(known);
      if (!shared) return undefined;
      found = await findMarks({ userId, ids: [...new Set(shared.ids)] });
    }
    const marks = new Map(found.marks.map((mark) => [mark.id, mark]));
    const { texts, ids } = shared;
    const own = ids.map((id, index) => {
      const { progress = 0, like = false } = marks.get(id) ?? {};
      return `,"progress":${progress},"like":${like}${texts[index + 1] ?? ''}`;
    });
    return new JsonText(`${texts[0] ?? ''}${own.join('')}`);
  };
}

export type FindSharedResponse = ReturnType<typeof createSharedResponses>;

/**
 * Returns a response unless its body is empty, which it is where nothing was found: an error while it is built would be a
 * response before the version of the catalogue is compared.
 *
 * @throws AppError `not_found`
 */
export function assertFound(response: JsonText | undefined): JsonText {
  if (!response || response.text === '{}') throw new AppError('not_found');
  return response;
}
