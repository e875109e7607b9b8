import { api, type Settings } from '@escucho/contracts';
import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { initLanguage, setLanguage, showLanguage } from '#shared/i18n/i18n.ts';
import { setColorMode, usePreferences } from '#shared/preferences.ts';
import { readStorage } from '#shared/storage.ts';
import { ana, emptySettings } from '#testing/app.tsx';
import { mockEndpoint } from '#testing/server.ts';
import { useAccountAppearance } from './signed-in-services.tsx';

const account: Partial<Settings> = { theme: 'light', language: 'es' };

beforeEach(() => usePreferences.setState(usePreferences.getInitialState()));

/** Signs in to an account with a light theme and Spanish; returns what the device shows then. */
async function signIn() {
  mockEndpoint(api.settings.findSettings, { user: ana, settings: { ...emptySettings, ...account } });
  renderHook(() => useAccountAppearance(ana._id));
  await waitFor(() => expect(readStorage('look-of')).toBe(ana._id));
  // What was requested before is loaded by then.
  await act(() => showLanguage('es'));
  const { colorMode, language } = usePreferences.getState();
  return { colorMode, language };
}

it('[SHELL-07] [SHELL-08] the account’s theme and language replace detected ones', async () => {
  await initLanguage();
  expect(await signIn()).toEqual({ colorMode: 'light', language: 'es' });
});

it('[SHELL-07] a theme chosen on this device wins over the account’s', async () => {
  setColorMode('dark');
  expect(await signIn()).toEqual({ colorMode: 'dark', language: 'es' });
});

it('[SHELL-08] a language chosen on this device wins over the account’s', async () => {
  await setLanguage('en');
  expect(await signIn()).toEqual({ colorMode: 'light', language: 'en' });
});

it('[SHELL-08] the account’s language does not count as chosen on this device', async () => {
  await signIn();
  expect(usePreferences.getState()).toMatchObject({ hasChosenColorMode: false, hasChosenLanguage: false });
});
