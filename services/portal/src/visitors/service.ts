import {
  AppError,
  api,
  level as levels,
  type Preview,
  type ResponseBody,
  type Sample,
} from '@escucho/contracts';
import { LRUCache } from 'lru-cache';
import type { Route } from '../accounts/user.ts';
import { expireByClock } from '../cache.ts';
import type { PreviewRow } from '../catalogue/repository.ts';
import { toArticle } from '../catalogue/service.ts';
import type { Language } from '../database.ts';
import type { ContentDeps } from '../deps.ts';
import { findFreeTracks, selectSample } from '../media/policy.ts';

const MAX_NEWEST = 12;
const MAX_CACHED_LANGUAGES = 10;

type Showcase = ResponseBody<(typeof api)['visitors']['findShowcase']>;

/** Creates the service of what visitors without an account see. */
export function createVisitorService({ playlists, catalogue, links, clock }: ContentDeps) {
  const toPreview = (row: PreviewRow): Preview => ({
    ...row,
    image: links.picture(row.image),
    artwork: links.picture(row.artwork),
  });

  async function findSample(language: Language): Promise<Sample | null> {
    const free = findFreeTracks(await playlists.findFirstTracks());
    // One of them at least is not free for everybody, if there are that many.
    const limit = free.size + 1;
    const newest = await Promise.all(
      levels.options.map((value) =>
        catalogue.findPage(null, { list: { column: 'level', value, language }, limit }),
      ),
    );
    const track = selectSample(newest.flat(), free);
    const article = track && (await catalogue.findArticle(track.id));
    return article
      ? { ...toArticle(article, links), url: links.audio(track.audio, track.duration).url }
      : null;
  }

  async function buildShowcase(language: Language): Promise<Showcase> {
    const [sample, newest, totalDocs] = await Promise.all([
      findSample(language),
      catalogue.findNewest(language, MAX_NEWEST),
      catalogue.countArticles({ column: null, value: '', language }),
    ]);
    return { sample, newest: newest.map(toPreview), totalDocs };
  }

  const cache = new LRUCache<Language, Showcase>({
    max: MAX_CACHED_LANGUAGES,
    ttl: links.reusableMs,
    ...expireByClock(clock),
    fetchMethod: buildShowcase,
  });

  return {
    /** Returns the catalogue in one language, up to a minute old. */
    findShowcase: (language: Language): Promise<Showcase> => cache.forceFetch(language),

    /**
     * Returns what everybody may know of an article.
     *
     * @throws AppError `not_found`
     */
    async findPreview(id: string): Promise<Preview> {
      const row = await catalogue.findPreview(id);
      if (!row) throw new AppError('not_found');
      return toPreview(row);
    },
  };
}

type VisitorService = ReturnType<typeof createVisitorService>;

/** Registers the endpoints for visitors without an account. */
export function registerVisitors(route: Route, visitors: VisitorService): void {
  route(api.visitors.findShowcase).handle(({ query }) => visitors.findShowcase(query.language));
  route(api.visitors.findPreview).handle(({ params }) => visitors.findPreview(params.id));
}
