import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import { toSignInResponse } from './presenter.ts';
import type { AccountService } from './service.ts';

export function registerAccountRoutes(route: Route, accounts: AccountService): void {
  route(api.auth.signInCognito).handle(async ({ user, body }) =>
    toSignInResponse(await accounts.signIn(user, body.idToken)),
  );
  route(api.auth.me).handle(({ user }) => toSignInResponse(user));
}
