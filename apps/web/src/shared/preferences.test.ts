import { expect, it, vi } from 'vitest';
import { setColorMode, usePreferences, useReadingPreferences } from './preferences.ts';
import { readStorageJson, writeStorage } from './storage.ts';

const restore = async (version: number, state: unknown) => {
  writeStorage('config-storage', JSON.stringify({ version, state }));
  await usePreferences.persist.rehydrate();
  return usePreferences.getState();
};

it.each([
  ['the defaults', { colorMode: 'dark', language: 'en' }, false, false],
  ['no language', { colorMode: 'dark', language: null }, false, false],
  ['other values than the defaults', { colorMode: 'light', language: 'es' }, true, true],
])('[SHELL-08] version 1 with %s', async (_title, state, hasChosenColorMode, hasChosenLanguage) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
  const expected = { ...state, hasChosenColorMode, hasChosenLanguage, hasCharacterKeys: true };
  expect(await restore(1, state)).toEqual(expected);
});

it('[SHELL-08] version 2 stores which values were chosen', async () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
  const choices = { hasChosenColorMode: true, hasChosenLanguage: true, hasCharacterKeys: false };
  const state = { colorMode: 'dark', language: 'en', ...choices };
  expect(await restore(2, state)).toEqual(state);
});

it.each([
  ['theme', 'config-storage', { language: 'es' }, () => setColorMode('light'), { colorMode: 'light' }],
  [
    'text size',
    'reading-storage',
    { hasTranslation: true },
    () => useReadingPreferences.setState({ size: 150 }),
    { size: 150 },
  ],
])(
  '[SHELL-08] a change of the %s keeps what another tab has changed since',
  (_, name, other, change, own) => {
    writeStorage(
      name,
      JSON.stringify({
        version: 2,
        state: { ...useReadingPreferences.getState(), ...usePreferences.getState(), ...other },
      }),
    );
    change();
    expect(readStorageJson(name)).toMatchObject({ state: { ...other, ...own } });
  },
);

it('[SHELL-07] shows the theme that another tab has stored since with the next change', () => {
  setColorMode('dark');
  writeStorage(
    'config-storage',
    JSON.stringify({ version: 2, state: { ...usePreferences.getState(), colorMode: 'light' } }),
  );
  usePreferences.setState({ language: 'es' });
  expect(usePreferences.getState()).toMatchObject({ language: 'es', colorMode: 'light' });
  expect(document.documentElement.dataset.theme).toBe('light');
});
