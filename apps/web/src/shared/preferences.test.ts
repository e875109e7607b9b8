import { expect, it, vi } from 'vitest';
import { usePreferences } from './preferences.ts';
import { writeStorage } from './storage.ts';

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
  expect(await restore(1, state)).toEqual({ ...state, hasChosenColorMode, hasChosenLanguage });
});

it('[SHELL-08] version 2 stores which values were chosen', async () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
  const state = { colorMode: 'dark', language: 'en', hasChosenColorMode: true, hasChosenLanguage: true };
  expect(await restore(2, state)).toEqual(state);
});
