import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import { bearerOf } from '../tokens.ts';
import type { RecordService } from './service.ts';

export function recordRoutes(route: Route, records: RecordService): void {
  route(api.account.exportRecords).handledBy(({ reader, request }) =>
    records.everythingOf(reader, bearerOf(request.headers.authorization)),
  );
  route(api.account.eraseAccount).handledBy(async ({ reader, request }) => {
    await records.erase(reader, bearerOf(request.headers.authorization));
    return {};
  });
}
