import { api } from '@escucho/contracts';
import { useEffect } from 'react';
import { call } from '#shared/api/client.ts';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { setColorMode, usePreferences } from '#shared/preferences.ts';
import { readStorage, writeStorage } from '#shared/storage.ts';

/** The id of the user whose appearance settings this device has applied. */
const STORAGE_KEY = 'look-of';

/**
 * Applies the theme and language of a user's settings when the user first signs in on this device. Values chosen on this
 * device win over the account's (SHELL-08).
 */
export function useAccountAppearance(userId: string | undefined): void {
  useEffect(() => {
    if (userId === undefined || readStorage(STORAGE_KEY) === userId) return;
    const controller = new AbortController();
    const { signal } = controller;
    void call(api.settings.findSettings, {}, { signal })
      .then(async ({ settings: { theme, language } }) => {
        writeStorage(STORAGE_KEY, userId);
        const { hasChosenColorMode, hasChosenLanguage } = usePreferences.getState();
        if (theme && !hasChosenColorMode) setColorMode(theme, false);
        if (language && !hasChosenLanguage) await setLanguage(language, false);
      })
      // The next visit tries again.
      .catch(() => undefined);
    return () => controller.abort();
  }, [userId]);
}
