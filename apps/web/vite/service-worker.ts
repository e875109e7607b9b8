import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Plugin } from 'vite';
import { bundleScript } from './bundle.ts';

/** The server replaces it by a hash of the page's CSP, since the cached page keeps its headers. */
const CSP_PLACEHOLDER = 'POLICY';
const precached = /^(index\.html|assets\/.+\.(js|css|woff2)|[^/]+\.(svg|png|webmanifest))$/;
const hasHashInName = /^assets\//;

/** Returns the precache entry of a built file; files with a hash in their name need no revision. */
export function toPrecacheEntry(path: string, bytes: Buffer): { url: string; revision: string | null } {
  if (hasHashInName.test(path)) return { url: `/${path}`, revision: null };
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { url: `/${path}`, revision: path === 'index.html' ? `${hash}-${CSP_PLACEHOLDER}` : hash };
}

/**
 * Builds dist/sw.js, the service worker that precaches the app for starts without a network.
 *
 * @param denylist path prefixes that the worker does not answer with the app
 */
export function serviceWorker(denylist: readonly string[]): Plugin {
  let directory = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(config) {
      directory = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(directory.length + 1)
            .split(sep)
            .join('/'),
        )
        .filter((path) => precached.test(path))
        .toSorted();
      const files = await Promise.all(
        paths.map(async (path) => toPrecacheEntry(path, await readFile(join(directory, path)))),
      );
      const code = await bundleScript('src/worker/service-worker.ts', {
        PRECACHE_ENTRIES: JSON.stringify(files),
        NAVIGATION_DENYLIST: JSON.stringify(denylist),
      });
      await writeFile(join(directory, 'sw.js'), code);
    },
  };
}
