import { api } from '@escucho/contracts';
import { getBearerToken } from '../accounts/tokens.ts';
import type { Route } from '../route.ts';
import type { AccountDataService } from './service.ts';

export function registerAccountDataRoutes(route: Route, records: AccountDataService): void {
  route(api.account.exportAccount).handle(({ user, request }) =>
    records.exportData(user, getBearerToken(request.headers.authorization)),
  );
  route(api.account.deleteAccount).handle(async ({ user, request }) => {
    await records.deleteAccount(user, getBearerToken(request.headers.authorization));
    return {};
  });
}
