import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

/** Stands in the worker for a mark of the page's policy, which the server knows: the kept page keeps its headers. */
const policyMark = 'POLICY';
const precached = /^(index\.html|assets\/.+\.(js|css|woff2)|[^/]+\.(svg|png|webmanifest))$/;
const named = /^assets\//;

/** What the worker keeps. In: a built file's path and bytes. Out: its address, and a revision unless its name has a hash. */
export function keptFile(path: string, bytes: Buffer): { url: string; revision: string | null } {
  if (named.test(path)) return { url: `/${path}`, revision: null };
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { url: `/${path}`, revision: path === 'index.html' ? `${hash}-${policyMark}` : hash };
}

/**
 * When the build is written: dist/sw.js, the service worker that keeps the app's files so that it opens without a
 * network. In: beginnings of addresses that are not the app's.
 */
export function offline(services: readonly string[]): Plugin {
  let directory = '';
  return {
    name: 'offline',
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
        paths.map(async (path) => keptFile(path, await readFile(join(directory, path)))),
      );
      await build({
        configFile: false,
        logLevel: 'error',
        define: {
          FILES: JSON.stringify(files),
          SERVICES: JSON.stringify(services),
          'process.env.NODE_ENV': '"production"',
        },
        build: {
          outDir: directory,
          emptyOutDir: false,
          copyPublicDir: false,
          minify: true,
          lib: {
            entry: fileURLToPath(new URL('../src/worker/service-worker.ts', import.meta.url)),
            formats: ['iife'],
            name: 'worker',
            fileName: () => 'sw.js',
          },
        },
      });
    },
  };
}
