import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { AccountService } from './service.ts';
import { toSignInResponse } from './user.ts';

export function registerAccountRoutes(route: Route, accounts: AccountService): void {
  route(api.auth.signInCognito).handle(async ({ user, body }) =>
    toSignInResponse(await accounts.signIn(user, body.idToken)),
  );
  route(api.auth.me).handle(({ user }) => toSignInResponse(user));
  route(api.settings.findSettings).handle(({ user }) => accounts.findSettings(user));
  route(api.settings.changeSettings).handle(({ user, body }) => accounts.changeSettings(user, body));
}
