import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { SettingsService } from './service.ts';

export function settingsRoutes(route: Route, settings: SettingsService): void {
  route(api.settings.findSettings).handledBy(({ reader }) => settings.find(reader));
  route(api.settings.changeSettings).handledBy(({ reader, body }) => settings.change(reader, body));
}
