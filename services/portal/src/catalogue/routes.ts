import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { CatalogueService } from './service.ts';

export function catalogueRoutes(route: Route, catalogue: CatalogueService): void {
  route(api.catalogue.discover).handledBy(({ reader }) => catalogue.discover(reader));
  route(api.articles.findArticle).handledBy(({ params }) => catalogue.findArticle(params.id));
  route(api.articles.readArticle).handledBy(({ reader, params }) => catalogue.read(reader, params.id));
  route(api.articles.findArticles).handledBy(({ reader, query }) => catalogue.findArticles(reader, query));
  route(api.articles.browse).handledBy(({ query }) => catalogue.browse(query.language));
}
