import type { Plugin } from 'vite';

/**
 * Dynamic imports as the browser has them: Vite's helper around each preloads styles of a chunk, of which there are none
 * (one sheet, inline), and its bytes would come before every page.
 */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) =>
      id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined,
  };
}
