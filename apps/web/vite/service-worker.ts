import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Plugin } from 'vite';
import { bundleScript } from './bundle.ts';

/** The server replaces it by a hash of the pages' CSP, since cached pages keep their headers. */
const CSP_PLACEHOLDER = 'POLICY';
/** The not-found page has no address of its own: the app renders it. */
const precached =
  /^(index\.html|pages\/en\/(?!not-found).+\.html|assets\/.+\.(js|css|woff2)|[^/]+\.(svg|png|webmanifest))$/;
const hasHashInName = /^assets\//;

/**
 * Returns the precache entry of a built file; files with a hash in their name need no revision. The entry of a prerendered
 * page is its path, which the server answers in the visitor's language.
 */
export function toPrecacheEntry(path: string, bytes: Buffer): { url: string; revision: string | null } {
  if (hasHashInName.test(path)) return { url: `/${path}`, revision: null };
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const page = /^pages\/en(\/.+)\.html$/.exec(path)?.[1];
  const isDocument = page !== undefined || path === 'index.html';
  return { url: page ?? `/${path}`, revision: isDocument ? `${hash}-${CSP_PLACEHOLDER}` : hash };
}

/**
 * Builds dist/sw.js, the service worker that precaches the app for starts without a network.
 *
 * @param denylist path prefixes that the worker does not answer with the app
 */
export function serviceWorker(denylist: readonly string[]): Plugin {
  return {
    name: 'service-worker',
    // After the documents, which it precaches.
    writeBundle: {
      sequential: true,
      order: 'post',
      async handler({ dir = '' }) {
        const names = await readdir(dir, { recursive: true });
        const paths = names.map((name) => name.replaceAll(sep, '/')).filter((path) => precached.test(path));
        const files = await Promise.all(
          paths.toSorted().map(async (path) => toPrecacheEntry(path, await readFile(join(dir, path)))),
        );
        const code = await bundleScript('src/worker/service-worker.ts', {
          PRECACHE_ENTRIES: JSON.stringify(files),
          NAVIGATION_DENYLIST: JSON.stringify(denylist),
        });
        await writeFile(join(dir, 'sw.js'), code);
      },
    },
  };
}
