import { randomUUID } from 'node:crypto';
import { AppError, api, type ErrorCode, type MessageKey, type Playlist } from '@escucho/contracts';
import type { CurrentUser, Route } from '../accounts/user.ts';
import { assertFound } from '../catalogue/shared-responses.ts';
import type { ContentDeps } from '../deps.ts';
import { mayPlay, type Source } from '../media/policy.ts';
import { getOffset, type Pagination } from '../pagination.ts';
import {
  type Change,
  isFull,
  type PlaylistChangeRepository,
  type PlaylistInput,
} from './change-repository.ts';
import { toPlaylist, toSharedTrack, toTrack } from './presenter.ts';
import { createPlaylistRepository, type PlaylistSearch } from './repository.ts';

interface PlaylistServiceDeps extends ContentDeps {
  changes: PlaylistChangeRepository;
}

/** A change of a playlist's tracks, or of the playlist itself: its name, visibility or existence. */
type PlaylistAction = 'tracks' | 'list';

/**
 * Returns the error code for an action that changed nothing (LIST-07). System playlists cannot be changed; favourites
 * cannot be renamed or deleted. In a playlist the user may change, something the action names does not exist.
 *
 * @param origin - undefined when the user sees no such playlist
 */
export function getRefusalCode(origin: Playlist['origin'] | undefined, action: PlaylistAction): ErrorCode {
  if (origin === undefined) return 'not_found';
  return origin === 'system' || (origin === 'auto' && action === 'list') ? 'forbidden' : 'not_found';
}

/** Above this number of fraction digits the sort keys of a playlist are renumbered: each move into the same gap adds one. */
const MAX_FRACTION_DIGITS = 100;

const createLimitError = (path: string, code: MessageKey): AppError =>
  new AppError('limit_reached', { fields: [{ path, code }] });

/** Playlists of the system and of the user (LIST-07), and favourites (CAT-08). Playlists of other users are `not_found`. */
export function createPlaylistService(deps: PlaylistServiceDeps) {
  const { playlists, changes, catalogue, read, findShared, access, links, clock } = deps;
  /** Ids of system playlists that were read. A playlist stays one of the system or of its user. */
  const systemPlaylists = new Set<string>();

  async function find(user: CurrentUser, id: string): Promise<Playlist> {
    const row = await playlists.find(user.id, id);
    if (!row) throw new AppError('not_found');
    return toPlaylist(row, links);
  }

  async function throwRefusal(user: CurrentUser, id: string, action: PlaylistAction): Promise<never> {
    throw new AppError(getRefusalCode((await playlists.find(user.id, id))?.origin, action));
  }

  /**
   * Applies a change as one statement, or with moves as one transaction.
   *
   * @returns how many tracks it added; null when it was not applied
   */
  function apply(user: CurrentUser, id: string, change: Change): Promise<number | null> {
    const { moved = [] } = change;
    if (moved.length === 0) return changes.change(user.id, id, change, clock());
    return changes.runInTransaction(async (steps) => {
      const addedTracks = await steps.change(user.id, id, change, clock());
      if (addedTracks === null) return null;
      for (const move of moved)
        if ((await steps.move(id, move)) > MAX_FRACTION_DIGITS) await steps.renumber(id);
      return addedTracks;
    });
  }

  /**
   * @returns how many tracks it added
   * @throws AppError `not_found`, `forbidden`, `limit_reached`; then nothing has changed
   */
  async function change(user: CurrentUser, id: string, change: Change): Promise<number> {
    const addedTracks = await apply(user, id, change).catch((error: unknown) => {
      throw isFull(error) ? createLimitError('body.articles.added', 'playlist_full') : error;
    });
    const action = change.name === undefined && change.active === undefined ? 'tracks' : 'list';
    return addedTracks ?? throwRefusal(user, id, action);
  }

  async function findFavourites(user: CurrentUser, track: string) {
    const [favourites, audio] = await Promise.all([
      changes.findFavourites(user.id),
      catalogue.findAudio(track),
    ]);
    return { favourites, isPublished: audio !== undefined };
  }

  /** Returns a function that decides which tracks of a playlist's page the user may play (PLAY-04). */
  async function findMayPlay(user: CurrentUser, pagination: Pagination) {
    const { mayPlayAnywhere } = await access.findAccess(user);
    return (playlist: Source, track: string, index: number) =>
      mayPlayAnywhere(track) || mayPlay(user.subscription.isActive, playlist, getOffset(pagination) + index);
  }

  /** Returns a page of a system playlist, which all users share but for their progress and favourites. */
  async function findSystemContent(user: CurrentUser, id: string, pagination: Pagination) {
    const response = await findShared(user, ['playlist', id, pagination], async (share, version) => {
      const [row, isPlayable] = await Promise.all([
        read(version, (db) => createPlaylistRepository(db).findSystemContent(id, pagination)),
        findMayPlay(user, pagination),
      ]);
      if (!row) return {};
      const docs = row.tracks.map((track, index) =>
        share(toSharedTrack(track, row, isPlayable(row, track.id, index), links)),
      );
      return { docs, totalDocs: row.total_tracks };
    });
    return assertFound(response);
  }

  return {
    find,
    change,

    /** @throws AppError `not_found` for an unknown track, `limit_reached` */
    async create(user: CurrentUser, { added, ...list }: PlaylistInput & { added: string[] }) {
      const created = await changes.runInTransaction(async (steps) => {
        const id = await steps.create(user.id, list, clock());
        if (id === undefined) throw createLimitError('body.name', 'playlist_limit');
        if (added.length > 0 && (await steps.change(user.id, id, { added }, clock())) === null)
          throw new AppError('not_found');
        return id;
      });
      return find(user, created);
    },

    /** Adding a favourite twice is no error. @throws AppError `not_found` for an unknown track, `limit_reached` */
    async addFavourite(user: CurrentUser, track: string) {
      const { favourites, isPublished } = await findFavourites(user, track);
      if (!isPublished) throw new AppError('not_found');
      const id = favourites ?? (await changes.createFavourites(user.id, clock()));
      await change(user, id, { added: [track] });
      return { _id: track, like: true };
    },

    /**
     * Removing a favourite twice is no error.
     *
     * @throws AppError `not_found` for an unknown track, and an unpublished one that is no favourite
     */
    async removeFavourite(user: CurrentUser, track: string) {
      const { favourites, isPublished } = await findFavourites(user, track);
      if (isPublished) {
        if (favourites !== undefined) await change(user, favourites, { removed: [track] });
      } else {
        const isRemoved =
          favourites !== undefined && (await changes.removeUnpublished(user.id, favourites, [track]));
        if (!isRemoved) throw new AppError('not_found');
      }
      return { _id: track, like: false };
    },

    /** @throws AppError `not_found`, `forbidden` */
    async remove(user: CurrentUser, id: string): Promise<{ _id: string }> {
      if (!(await changes.remove(user.id, id, clock()))) await throwRefusal(user, id, 'list');
      return { _id: id };
    },

    /** Restores a playlist that was deleted within the last hour. @throws AppError `not_found`, `forbidden`, `limit_reached` */
    async restore(user: CurrentUser, id: string): Promise<Playlist> {
      const result = await changes.runInTransaction((steps) => steps.restore(user.id, id, clock()));
      if (result === 'full') throw createLimitError('params.id', 'playlist_limit');
      return result === 'absent' ? throwRefusal(user, id, 'list') : find(user, id);
    },

    async findPage(user: CurrentUser, query: PlaylistSearch) {
      const { rows, total } = await playlists.findPage(user.id, query);
      return { docs: rows.map((row) => toPlaylist(row, links)), totalDocs: total };
    },

    /** Returns a page of the playlist's tracks in order; those the user may play have a signed URL. */
    async findContent(user: CurrentUser, id: string, pagination: Pagination) {
      if (systemPlaylists.has(id)) return findSystemContent(user, id, pagination);
      const [row, isPlayable] = await Promise.all([
        playlists.findContent(user.id, id, pagination),
        findMayPlay(user, pagination),
      ]);
      if (!row) throw new AppError('not_found');
      if (row.origin === 'system') systemPlaylists.add(id);
      const docs = row.tracks.map((track, index) =>
        toTrack(track, row, isPlayable(row, track.id, index), links),
      );
      return { docs, totalDocs: row.total_tracks };
    },
  };
}

type PlaylistService = ReturnType<typeof createPlaylistService>;

/** Registers the endpoints of playlists and favourites. */
export function registerPlaylists(route: Route, playlists: PlaylistService): void {
  route(api.playlists.findPlaylist).handle(({ user, params }) => playlists.find(user, params.id));
  route(api.playlists.findPlaylists).handle(({ user, query: { filter, sorter, ...paging } }) => {
    const name = filter?.name;
    return playlists.findPage(user, {
      ...paging,
      origin: filter?.origin,
      notName: name && '$ne' in name ? name.$ne : undefined,
      nameContains: name && '$regex' in name ? name.$regex : undefined,
      oldestFirst: sorter?._created_at === 1,
    });
  });
  route(api.playlists.findPlaylistContent).handle(({ user, params, query }) =>
    playlists.findContent(user, params.id, query),
  );
  route(api.playlists.createPlaylist).handle(({ user, body }) =>
    playlists.create(user, {
      name: body.name,
      active: body.active ?? true,
      added: body['articles.added'] ?? [],
      idempotencyKey: body.idempotencyKey ?? randomUUID(),
    }),
  );
  route(api.playlists.changePlaylist).handle(async ({ user, body }) => {
    const addedTracks = await playlists.change(user, body._id, {
      name: body.name,
      active: body.active,
      added: body['articles.added'],
      removed: body['articles.removed'],
      moved: body['articles.moved'],
    });
    return { ...(await playlists.find(user, body._id)), addedTracks };
  });
  route(api.playlists.deletePlaylist).handle(({ user, params }) => playlists.remove(user, params.id));
  route(api.playlists.restorePlaylist).handle(({ user, params }) => playlists.restore(user, params.id));
  route(api.playlists.addFavourite).handle(({ user, params }) => playlists.addFavourite(user, params.id));
  route(api.playlists.removeFavourite).handle(({ user, params }) =>
    playlists.removeFavourite(user, params.id),
  );
}
