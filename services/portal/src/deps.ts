import type { ReadDatabase } from './catalogue/reads.ts';
import type { CatalogueRepository } from './catalogue/repository.ts';
import type { FindSharedResponse } from './catalogue/shared-responses.ts';
import type { AccessService } from './media/access-service.ts';
import type { Links } from './media/links.ts';
import type { PlaylistRepository } from './playlists/repository.ts';

/** What most services of content share. */
export interface ContentDeps {
  catalogue: CatalogueRepository;
  playlists: PlaylistRepository;
  access: AccessService;
  findShared: FindSharedResponse;
  read: ReadDatabase;
  links: Links;
  clock: () => Date;
}
