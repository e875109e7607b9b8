import type { Settings, SettingsChange } from '@escucho/contracts';
import { toUser } from '../accounts/presenter.ts';
import type { CurrentUser } from '../accounts/service.ts';
import type { SettingsRepository, SettingsRow } from './repository.ts';

function toSettings(row: SettingsRow): Settings {
  const { first_name: firstName, last_name: lastName, learning_language: learningLanguage, ...rest } = row;
  return { firstName, lastName, learningLanguage, ...rest };
}

const toSettingsResponse = (reader: CurrentUser, row: SettingsRow) => {
  const settings = toSettings(row);
  const { firstName, lastName } = settings;
  return { user: toUser({ ...reader, firstName, lastName }), settings };
};

/** The reader's own names and choices (SUB-07). */
export function createSettingsService({
  settings,
  clock,
}: {
  settings: SettingsRepository;
  clock: () => Date;
}) {
  return {
    find: async (reader: CurrentUser) => toSettingsResponse(reader, await settings.find(reader.id)),

    change: async (reader: CurrentUser, change: SettingsChange) =>
      toSettingsResponse(reader, await settings.change(reader.id, change, clock())),
  };
}

export type SettingsService = ReturnType<typeof createSettingsService>;
