import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { VisitorService } from './service.ts';

export function registerVisitorRoutes(route: Route, visitors: VisitorService): void {
  route(api.visitors.findShowcase).handle(({ query }) => visitors.findShowcase(query.language));
  route(api.visitors.findPreview).handle(({ params }) => visitors.findPreview(params.id));
}
