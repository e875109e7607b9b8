import { api } from '@escucho/contracts';
import { getBearerToken } from '../accounts/tokens.ts';
import type { Route } from '../request.ts';
import type { AccountDataService } from './service.ts';

export function registerAccountDataRoutes(route: Route, accountData: AccountDataService): void {
  route(api.account.exportAccount).handle(({ user, request }) =>
    accountData.exportData(user, getBearerToken(request.headers.authorization)),
  );
  route(api.account.deleteAccount).handle(async ({ user, request }) => {
    await accountData.deleteAccount(user, getBearerToken(request.headers.authorization));
    return {};
  });
}
