import type { Plugin } from 'vite';

/** In: an endpoint file's text. Out: without the summaries, which only the API's description reads. */
export const withoutSummaries = (code: string): string =>
  code.replace(/^\s*summary:\s*(['"`]).*?\1,\n/gm, '');

/** Pages do not carry what they never read of the contracts: a fifth of a kilobyte that Discover needs for itself. */
export const lean = (): Plugin => ({
  name: 'lean',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    /\/contracts\/src\/endpoints\//.test(id) ? { code: withoutSummaries(code), map: null } : null,
});
