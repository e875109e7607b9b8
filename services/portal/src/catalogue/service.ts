import {
  AppError,
  type Article,
  api,
  getLevelDistance,
  type ParsedRequest,
  type ResponseBody,
} from '@escucho/contracts';
import { JsonText } from '@escucho/service-kit';
import type { CurrentUser, Route } from '../accounts/user.ts';
import type { ContentDeps } from '../deps.ts';
import type { ListeningService } from '../listening/service.ts';
import type { Links } from '../media/links.ts';
import { hasFreeTrack, selectRowTracks } from '../media/policy.ts';
import { toPlaylist, toSharedTrack, toTrack } from '../playlists/presenter.ts';
import { COVER_COUNT, createPlaylistRepository, type TrackRow } from '../playlists/repository.ts';
import { toFacets } from '../search/policy.ts';
import {
  type ArticleList,
  type ArticleRow,
  type CatalogueRepository,
  createCatalogueRepository,
} from './repository.ts';
import { assertFound } from './shared-responses.ts';

const DISCOVER = { rows: 20, tracks: 12 };
const MAX_CONTINUE_LISTENING = 20;
const MAX_AT_LEVEL = 12;
const MAX_RELATED = 6;
const MAX_RELATED_CANDIDATES = 24;

type Endpoints = (typeof api)['catalogue'];
type ListQuery = ParsedRequest<Endpoints['findArticles']>['query'];

interface CatalogueDeps extends ContentDeps {
  listening: Pick<ListeningService, 'findContinueListening'>;
}

const listColumns = ['kind', 'topic', 'level', 'narrator'] as const;

function toArticleList({ language, ...query }: ListQuery): ArticleList {
  const column = listColumns.find((name) => query[name] !== undefined) ?? null;
  return { column, value: column === null ? '' : (query[column] ?? ''), language };
}

/** Returns a unique name for a list, so that playing from another list replaces the queue. */
const toSourceName = ({ column, value, language }: ArticleList): string =>
  [column ?? 'all', value, language].filter(Boolean).join(' ').toLowerCase();

/** Converts an article to the API's form, with signed URLs of its pictures. */
export function toArticle({ narrator, portrait, ...row }: ArticleRow, links: Links): Article {
  return {
    ...row,
    narrator: { name: narrator, image: portrait === null ? null : links.picture(portrait) },
    image: links.picture(row.image),
    artwork: links.picture(row.artwork),
    publishedAt: row.publishedAt.toISOString(),
    pages: row.pages.map((page) => ({ ...page, image: links.picture(page.image) })),
  };
}

/**
 * Returns articles related to one: the same topic first, then the nearest level, otherwise in the order of the candidates,
 * among which an article may appear twice.
 */
export function selectRelated<Row extends Pick<TrackRow, 'id' | 'topic' | 'level'>>(
  article: Pick<Row, 'id' | 'topic' | 'level'>,
  candidates: readonly Row[],
  max: number,
): Row[] {
  const others = new Map(candidates.map((row) => [row.id, row]));
  others.delete(article.id);
  return [...others.values()]
    .sort(
      (one, other) =>
        Number(other.topic === article.topic) - Number(one.topic === article.topic) ||
        getLevelDistance(one.level, article.level) - getLevelDistance(other.level, article.level),
    )
    .slice(0, max);
}

/** Reads what the page of an article shows; undefined where there is none. */
async function findArticlePage(catalogue: CatalogueRepository, id: string) {
  const [article, row] = await Promise.all([catalogue.findArticle(id), catalogue.findTrack(null, id)]);
  if (!article || !row) return undefined;
  const { topic, level, language } = article;
  const lists: ArticleList[] = [
    { column: 'topic', value: topic, language },
    { column: 'level', value: level, language },
  ];
  const pages = lists.map((list) => catalogue.findPage(null, { list, limit: MAX_RELATED_CANDIDATES }));
  return { article, row, candidates: (await Promise.all(pages)).flat() };
}

/** Creates the service that lists and shows articles. */
export function createCatalogueService(deps: CatalogueDeps) {
  const { catalogue, read, findShared, listening, access, links } = deps;

  /** Returns the rows of Discover as JSON text: each system playlist with its first tracks that suit the user. */
  async function findRows(user: CurrentUser): Promise<string> {
    const { learning, subscription } = user;
    const isSubscribed = subscription.isActive;
    const response = await findShared(user, ['discover', learning], async (share, version) => {
      const [rows, { mayPlayAnywhere }] = await Promise.all([
        read(version, (db) => createPlaylistRepository(db).findSystemPlaylists(DISCOVER, learning)),
        access.findAccess(user),
      ]);
      return rows.map((row) => {
        const shown = selectRowTracks(row, learning, isSubscribed);
        return {
          playlist: toPlaylist({ ...row, images: shown.slice(0, COVER_COUNT) }, links),
          tracks: shown.map((track) => {
            const isPlayable = mayPlayAnywhere(track.id) || (track.id === row.first && hasFreeTrack(row));
            return share(toSharedTrack(track, row, isPlayable, links));
          }),
        };
      });
    });
    return response?.text ?? '[]';
  }

  /** @throws AppError `not_found` */
  async function findArticle(id: string): Promise<Article> {
    const row = await catalogue.findArticle(id);
    if (!row) throw new AppError('not_found');
    return toArticle(row, links);
  }

  /**
   * Returns new articles at the user's level that they have not started; undefined when no level is set. What is free for
   * the user only is first, and stays when it was started.
   */
  async function findAtLevel(user: CurrentUser) {
    const { level, language } = user.learning;
    if (level === null) return undefined;
    const list: ArticleList = { column: 'level', value: level, language: language ?? undefined };
    const [{ ownFree, mayPlay }, unstarted] = await Promise.all([
      access.findAccess(user),
      catalogue.findPage(user.id, { list, onlyUnstarted: true, limit: MAX_AT_LEVEL }),
    ]);
    const isOwn = ({ id }: TrackRow) => id === ownFree;
    const own =
      unstarted.find(isOwn) ??
      (ownFree === undefined ? undefined : await catalogue.findTrack(user.id, ownFree));
    const rows = own ? [own, ...unstarted.filter((row) => !isOwn(row))] : unstarted;
    const source = { name: toSourceName(list), id: null };
    const tracks = rows.slice(0, MAX_AT_LEVEL).map((row) => toTrack(row, source, mayPlay(row.id), links));
    return { level, tracks };
  }

  return {
    findArticle,

    /** Returns the content of Discover (CAT-02). */
    async discover(user: CurrentUser): Promise<JsonText> {
      const [continueListening, rows, atLevel] = await Promise.all([
        listening.findContinueListening(user, { page: 1, limit: MAX_CONTINUE_LISTENING }),
        findRows(user),
        findAtLevel(user),
      ]);
      const rest = JSON.stringify({ continueListening: continueListening.docs, atLevel });
      return new JsonText(`${rest.slice(0, -1)},"rows":${rows}}`);
    },

    /**
     * Returns the content of an article's page (CAT-04).
     *
     * @throws AppError `not_found`
     */
    async readArticle(user: CurrentUser, id: string): Promise<JsonText> {
      const response = await findShared(user, ['article', id], async (share, version) => {
        const [found, { mayPlayAnywhere }] = await Promise.all([
          read(version, (db) => findArticlePage(createCatalogueRepository(db), id)),
          access.findAccess(user),
        ]);
        if (!found) return {};
        const { article, row, candidates } = found;
        const present = (track: TrackRow, name: string) => {
          const source = { name: `${name} ${article.slug}`, id: null };
          return share(toSharedTrack(track, source, mayPlayAnywhere(track.id), links));
        };
        return {
          article: toArticle(article, links),
          track: present(row, 'article'),
          related: selectRelated(row, candidates, MAX_RELATED).map((track) => present(track, 'related')),
        };
      });
      return assertFound(response);
    },

    /** Returns a page of a list, newest first (CAT-04). */
    async findArticles(
      user: CurrentUser,
      query: ListQuery,
    ): Promise<ResponseBody<Endpoints['findArticles']> | JsonText> {
      const list = toArticleList(query);
      const { after, skip, limit } = query;
      const response = await findShared(
        user,
        ['articles', list, { after, skip, limit }],
        async (share, version) => {
          const [[rows, totalDocs], { mayPlayAnywhere }] = await Promise.all([
            read(version, (db) => {
              const { findPage, countArticles } = createCatalogueRepository(db);
              return Promise.all([findPage(null, { list, after, skip, limit }), countArticles(list)]);
            }),
            access.findAccess(user),
          ]);
          const source = { name: toSourceName(list), id: null };
          return {
            docs: rows.map((row) => share(toSharedTrack(row, source, mayPlayAnywhere(row.id), links))),
            totalDocs,
          };
        },
      );
      return response ?? { docs: [], totalDocs: 0 };
    },

    /** Returns the facets of the whole catalogue and their covers (CAT-03). */
    async browse(language: ArticleList['language']): Promise<ResponseBody<Endpoints['browse']>> {
      const [groups, totalDocs, covers] = await Promise.all([
        catalogue.countTags(language),
        catalogue.countArticles({ column: null, value: '', language }),
        catalogue.findCovers(language),
      ]);
      return {
        totalDocs,
        facets: toFacets(groups, {}, groups),
        covers: Object.fromEntries(covers.map(({ tag, image }) => [tag, links.picture(image)])),
      };
    },
  };
}

type CatalogueService = ReturnType<typeof createCatalogueService>;

/** Registers the endpoints of Discover, lists and articles. */
export function registerCatalogue(route: Route, catalogue: CatalogueService): void {
  route(api.catalogue.discover).handle(({ user }) => catalogue.discover(user));
  route(api.catalogue.findArticle).handle(({ params }) => catalogue.findArticle(params.id));
  route(api.catalogue.readArticle).handle(({ user, params }) => catalogue.readArticle(user, params.id));
  route(api.catalogue.findArticles).handle(({ user, query }) => catalogue.findArticles(user, query));
  route(api.catalogue.browse).handle(({ query }) => catalogue.browse(query.language));
}
