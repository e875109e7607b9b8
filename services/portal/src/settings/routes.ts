import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { SettingsService } from './service.ts';

export function registerSettingsRoutes(route: Route, settings: SettingsService): void {
  route(api.settings.findSettings).handle(({ user }) => settings.find(user));
  route(api.settings.changeSettings).handle(({ user, body }) => settings.change(user, body));
}
