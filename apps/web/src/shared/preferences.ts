import * as z from 'zod/mini';
import { create } from 'zustand';
import { type ColorMode, colorModes, type Language, languages } from './choices.ts';
import { persistStore } from './storage.ts';

interface Preferences {
  colorMode: ColorMode;
  /** Null until the first visit has chosen one. */
  language: Language | null;
}

const stored = z.object({
  colorMode: z.catch(z.enum(colorModes), 'dark'),
  language: z.catch(z.nullable(z.enum(languages)), null),
});

/** config-storage: theme and language of this browser (SHELL-07, SHELL-08). The boot script in index.html reads it too. */
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

/** Sets light or dark on the page element and keeps it (SHELL-07). Transitions rest for two frames: the switch costs one paint. */
export function setColorMode(colorMode: ColorMode): void {
  const root = document.documentElement;
  root.dataset.switching = '';
  root.dataset.theme = colorMode;
  usePreferences.setState({ colorMode });
  requestAnimationFrame(() => requestAnimationFrame(() => delete root.dataset.switching));
}
