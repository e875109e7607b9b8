import { AppError, type Article, type api, type ParsedRequest, type ResponseBody } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/user.ts';
import type { ListeningService } from '../listening/service.ts';
import type { Links } from '../media/links.ts';
import { toTrack } from '../playlists/presenter.ts';
import type { TrackRow } from '../playlists/repository.ts';
import type { PlaylistService } from '../playlists/service.ts';
import { facetsOf } from '../search/policy.ts';
import type { List, ListRepository } from './list-repository.ts';
import { related } from './policy.ts';
import { toArticle } from './presenter.ts';
import type { CatalogueRepository } from './repository.ts';

const CONTINUE_LISTENING = 20;
const AT_LEVEL = 12;
const RELATED = 6;
const CANDIDATES = 24;

type Calls = (typeof api)['articles'];
type ListQuery = ParsedRequest<Calls['findArticles']>['query'];

interface Ports {
  catalogue: CatalogueRepository;
  lists: ListRepository;
  playlists: Pick<PlaylistService, 'findDiscoverRows'>;
  listening: Pick<ListeningService, 'findContinueListening'>;
  links: Links;
}

const listed = ['kind', 'topic', 'level', 'narrator'] as const;

function listOf({ language, ...query }: ListQuery): List {
  const by = listed.find((name) => query[name] !== undefined) ?? null;
  return { by, value: by === null ? '' : (query[by] ?? ''), language };
}

/** A list by a name of its own, so that playing from another one replaces the queue. */
const nameOf = ({ by, value, language }: List): string =>
  [by ?? 'all', value, language].filter(Boolean).join(' ').toLowerCase();

/** What there is to listen to. */
export function catalogueService({ catalogue, lists, playlists, listening, links }: Ports) {
  const toTracks = (rows: readonly TrackRow[], name: string, reader: CurrentUser) =>
    rows.map((row) => toTrack(row, { name, id: null }, reader.subscription.isActive, links));

  /** Throws `not_found`. */
  async function findArticle(id: string): Promise<Article> {
    const row = await catalogue.findArticle(id);
    if (!row) throw new AppError('not_found');
    return toArticle(row, links);
  }

  /** What is new at the reader's level and was not begun; undefined where no level was chosen. */
  async function findAtLevel(reader: CurrentUser) {
    const { level, learning_language } = await lists.findLearner(reader.id);
    if (level === null) return undefined;
    const list: List = { by: 'level', value: level, language: learning_language ?? undefined };
    const rows = await lists.findPage(reader.id, { list, unheard: true, limit: AT_LEVEL });
    return { level, tracks: toTracks(rows, nameOf(list), reader) };
  }

  return {
    findArticle,

    /** Discover in one answer (CAT-02). */
    async discover(reader: CurrentUser): Promise<ResponseBody<(typeof api)['catalogue']['discover']>> {
      const [begun, rows, atLevel] = await Promise.all([
        listening.findContinueListening(reader, { page: 1, limit: CONTINUE_LISTENING }),
        playlists.findDiscoverRows(reader),
        findAtLevel(reader),
      ]);
      return { continueListening: begun.docs, rows, ...(atLevel && { atLevel }) };
    },

    /** An article's page (CAT-04). Throws `not_found`. */
    async read(reader: CurrentUser, id: string): Promise<ResponseBody<Calls['readArticle']>> {
      const [article, row] = await Promise.all([findArticle(id), lists.findTrack(reader.id, id)]);
      if (!row) throw new AppError('not_found');
      const { language } = article;
      const [ofTopic, ofLevel] = await Promise.all([
        lists.findPage(reader.id, {
          list: { by: 'topic', value: article.topic, language },
          limit: CANDIDATES,
        }),
        lists.findPage(reader.id, {
          list: { by: 'level', value: article.level, language },
          limit: CANDIDATES,
        }),
      ]);
      const near = related(row, [...ofTopic, ...ofLevel], RELATED);
      const [track] = toTracks([row], `article ${article.slug}`, reader);
      if (!track) throw new AppError('not_found');
      return { article, track, related: toTracks(near, `related ${article.slug}`, reader) };
    },

    /** A list, newest first (CAT-04). */
    async findArticles(reader: CurrentUser, query: ListQuery): Promise<ResponseBody<Calls['findArticles']>> {
      const list = listOf(query);
      const { after, skip, limit } = query;
      const [rows, totalDocs] = await Promise.all([
        lists.findPage(reader.id, { list, after, skip, limit }),
        lists.count(list),
      ]);
      return { docs: toTracks(rows, nameOf(list), reader), totalDocs };
    },

    /** What there is to browse (CAT-03). */
    async browse(language: List['language']): Promise<ResponseBody<Calls['browse']>> {
      const [groups, totalDocs] = await Promise.all([
        lists.countTags(language),
        lists.count({ by: null, value: '', language }),
      ]);
      return { totalDocs, facets: facetsOf(groups, {}, groups) };
    },
  };
}

export type CatalogueService = ReturnType<typeof catalogueService>;
