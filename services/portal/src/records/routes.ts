import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import { bearerOf } from '../tokens.ts';
import type { RecordService } from './service.ts';

export function recordRoutes(route: Route, records: RecordService): void {
  route(api.account.exportAccount).handle(({ user, request }) =>
    records.everythingOf(user, bearerOf(request.headers.authorization)),
  );
  route(api.account.deleteAccount).handle(async ({ user, request }) => {
    await records.erase(user, bearerOf(request.headers.authorization));
    return {};
  });
}
