import { api } from '@escucho/contracts';
import { useEffect } from 'react';
import { call } from '#shared/api/client.ts';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { setColorMode } from '#shared/preferences.ts';
import { readStorage, writeStorage } from '#shared/storage.ts';

/** Whose choices this device has taken over. */
const key = 'look-of';

/** A device that a reader comes to for the first time begins with what they chose in their settings; from then on it keeps its own choices. */
export function useAccountLook(reader: string | undefined): void {
  useEffect(() => {
    if (reader === undefined || readStorage(key) === reader) return;
    const left = new AbortController();
    const { signal } = left;
    void call(api.settings.findSettings, {}, { signal })
      .then(async ({ settings: { theme, language } }) => {
        writeStorage(key, reader);
        if (theme) setColorMode(theme);
        if (language) await setLanguage(language);
      })
      // The next visit asks again.
      .catch(() => undefined);
    return () => left.abort();
  }, [reader]);
}
