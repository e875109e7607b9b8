import * as z from 'zod/mini';
import { create } from 'zustand';
import { type ColorMode, colorModes, type Language, languages } from './choices.ts';
import { persistStore } from './storage.ts';

interface Preferences {
  colorMode: ColorMode;
  /** Null before the first visit. */
  language: Language | null;
}

const stored = z.object({
  colorMode: z.catch(z.enum(colorModes), 'dark'),
  language: z.catch(z.nullable(z.enum(languages)), null),
});

/** config-storage: theme and language on this device (SHELL-07, SHELL-08). The boot script reads it too. */
export const usePreferences = create<Preferences>()(
  persistStore(
    {
      name: 'config-storage',
      version: 1,
      partialize: ({ colorMode, language }) => ({ colorMode, language }),
      parse: (value) => stored.safeParse(value).data ?? {},
    },
    (): Preferences => ({ colorMode: 'dark', language: null }),
  ),
);

/** Applies a theme and stores it (SHELL-07). Transitions are off for two frames, so that the switch is one paint. */
export function setColorMode(colorMode: ColorMode): void {
  const root = document.documentElement;
  root.dataset.switching = '';
  root.dataset.theme = colorMode;
  usePreferences.setState({ colorMode });
  requestAnimationFrame(() => requestAnimationFrame(() => delete root.dataset.switching));
}
