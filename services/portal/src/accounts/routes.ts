import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import { toSignedIn } from './presenter.ts';
import type { AccountService } from './service.ts';

export function accountRoutes(route: Route, accounts: AccountService): void {
  route(api.auth.signInCognito).handle(async ({ user, body }) =>
    toSignedIn(await accounts.signIn(user, body.idToken)),
  );
  route(api.auth.me).handle(({ user }) => toSignedIn(user));
}
