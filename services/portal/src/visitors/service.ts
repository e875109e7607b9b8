import { AppError, api, type Preview, type ResponseBody, type Sample } from '@escucho/contracts';
import { LRUCache } from 'lru-cache';
import type { Route } from '../accounts/user.ts';
import { expireByClock } from '../cache.ts';
import type { CatalogueRepository } from '../catalogue/repository.ts';
import { toArticle } from '../catalogue/service.ts';
import type { Language } from '../database.ts';
import type { Links } from '../media/links.ts';
import { findFreeTracks, selectSample } from '../media/policy.ts';
import type { PlaylistRepository } from '../playlists/repository.ts';
import type { PreviewRow, ShowcaseRepository } from './repository.ts';

const MAX_NEWEST = 12;
const MAX_CACHED_LANGUAGES = 10;

type Showcase = ResponseBody<(typeof api)['visitors']['findShowcase']>;

interface VisitorDeps {
  showcase: ShowcaseRepository;
  playlists: Pick<PlaylistRepository, 'findFirstTracks'>;
  catalogue: Pick<CatalogueRepository, 'findArticle' | 'findAudio' | 'countArticles'>;
  links: Links;
  clock: () => Date;
}

/** Creates the service of what visitors without an account see. */
export function createVisitorService({ showcase, playlists, catalogue, links, clock }: VisitorDeps) {
  const toPreview = ({ id, ...row }: PreviewRow): Preview => ({
    ...row,
    _id: id,
    image: links.picture(row.image),
    artwork: links.picture(row.artwork),
  });

  async function findSample(language: Language): Promise<Sample | null> {
    const free = findFreeTracks(await playlists.findFirstTracks());
    // One of them at least is not free for everybody, if there are that many.
    const newest = await showcase.findNewestByLevel(language, free.size + 1);
    const chosen = selectSample(newest, free);
    const [row, media] = chosen
      ? await Promise.all([catalogue.findArticle(chosen.id), catalogue.findAudio(chosen.id)])
      : [];
    return row && media
      ? { ...toArticle(row, links), url: links.audio(media.audio, media.duration).url }
      : null;
  }

  async function buildShowcase(language: Language): Promise<Showcase> {
    const [sample, newest, totalDocs] = await Promise.all([
      findSample(language),
      showcase.findNewest(language, MAX_NEWEST),
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
      const row = await showcase.findPreview(id);
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
