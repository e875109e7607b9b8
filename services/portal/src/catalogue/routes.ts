import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { CatalogueService } from './service.ts';

export function registerCatalogueRoutes(route: Route, catalogue: CatalogueService): void {
  route(api.catalogue.discover).handle(({ user }) => catalogue.discover(user));
  route(api.articles.findArticle).handle(({ params }) => catalogue.findArticle(params.id));
  route(api.articles.readArticle).handle(({ user, params }) => catalogue.readArticle(user, params.id));
  route(api.articles.findArticles).handle(({ user, query }) => catalogue.findArticles(user, query));
  route(api.articles.browse).handle(({ query }) => catalogue.browse(query.language));
}
