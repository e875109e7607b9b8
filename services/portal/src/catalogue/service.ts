import { AppError, type Article } from '@escucho/contracts';
import type { Reader } from '../accounts/service.ts';
import type { ListeningService } from '../listening/service.ts';
import type { Links } from '../media/links.ts';
import type { PlaylistService } from '../playlists/service.ts';
import { toArticle } from './presenter.ts';
import type { CatalogueRepository } from './repository.ts';

const CONTINUE_LISTENING = 20;

interface Ports {
  catalogue: CatalogueRepository;
  playlists: Pick<PlaylistService, 'findRows'>;
  listening: Pick<ListeningService, 'findContinue'>;
  links: Links;
}

/** What there is to listen to. */
export function catalogueService({ catalogue, playlists, listening, links }: Ports) {
  return {
    /** Discover in one answer (CAT-02). */
    async discover(reader: Reader) {
      const [begun, rows] = await Promise.all([
        listening.findContinue(reader, { page: 1, limit: CONTINUE_LISTENING }),
        playlists.findRows(reader),
      ]);
      return { continueListening: begun.docs, rows };
    },

    async findArticle(id: string): Promise<Article> {
      const row = await catalogue.findArticle(id);
      if (!row) throw new AppError('not_found');
      return toArticle(row, links);
    },
  };
}

export type CatalogueService = ReturnType<typeof catalogueService>;
