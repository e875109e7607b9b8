import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';
import { bundleScript } from './bundle.ts';

/** The server replaces it by a hash of the pages' CSP, since cached pages keep their headers. */
const CSP_PLACEHOLDER = 'POLICY';
/** The not-found page has no address of its own: the app renders it. */
const precached =
  /^(index\.html|pages\/en\/(?!not-found).+\.html|assets\/.+\.(js|css|woff2)|[^/]+\.(svg|png|webmanifest))$/;

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex').slice(0, 16);

/**
 * Returns the precache entries of a build; files with a hash in their name need no revision. The entry of a prerendered page
 * is its path, which the server answers in the visitor's language: documents of all languages share a revision.
 */
export function toPrecacheEntries(
  files: ReadonlyMap<string, Buffer>,
): { url: string; revision: string | null }[] {
  const documents = [...files].filter(([path]) => path.endsWith('.html'));
  const revision = `${hash(documents.map(([, bytes]) => hash(bytes)).join())}-${CSP_PLACEHOLDER}`;
  return [...files]
    .filter(([path]) => precached.test(path))
    .map(([path, bytes]) => {
      if (path.endsWith('.html')) return { url: path.replace(/^pages\/en\/(.+)\.html$|^/, '/$1'), revision };
      return { url: `/${path}`, revision: path.startsWith('assets/') ? null : hash(bytes) };
    });
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
        const entries = await readdir(dir, { recursive: true, withFileTypes: true });
        const paths = entries
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name));
        const files = new Map<string, Buffer>();
        for (const path of paths.toSorted())
          files.set(relative(dir, path).replaceAll(sep, '/'), await readFile(path));
        const code = await bundleScript('src/worker/service-worker.ts', {
          PRECACHE_ENTRIES: JSON.stringify(toPrecacheEntries(files)),
          NAVIGATION_DENYLIST: JSON.stringify(denylist),
        });
        await writeFile(join(dir, 'sw.js'), code);
      },
    },
  };
}
