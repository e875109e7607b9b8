import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

/** Bundles a source file into one script. */
async function bundleScript(entry: string, constants: Record<string, string> = {}): Promise<string> {
  const define = { ...constants, 'process.env.NODE_ENV': '"production"' };
  const lib = { entry: join(import.meta.dirname, '..', entry), formats: ['iife' as const], name: 'bundle' };
  const options = { write: false, minify: true, lib };
  const built = await build({ configFile: false, logLevel: 'error', define, build: options });
  const [result] = Array.isArray(built) ? built : [built];
  const code = result && 'output' in result ? result.output[0].code : '';
  if (!code) throw new Error(`${entry} is empty.`);
  return code.trim();
}

/** Tailwind's fallback for browsers without @property, which the build does not target. */
const propertyFallback = /@layer properties\{@supports[\s\S]*?\}\}\}(?=@layer )/;

/** A file of the build: its modules, and the files that it imports. */
type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'moduleIds' | 'imports'>;

/**
 * Returns the URLs of the code of source files and of what they import, each after what it imports.
 *
 * @throws for a source file that no chunk has
 */
export function findCode(chunks: readonly Chunk[], sources: readonly string[]): string[] {
  const urls: string[] = [];
  const found = new Set<Chunk>();
  const collect = (chunk: Chunk): void => {
    if (found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) chunks.filter(({ fileName }) => fileName === name).forEach(collect);
    urls.push(`/${chunk.fileName}`);
  };
  for (const source of sources) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${source}`)));
    if (!chunk) throw new Error(`No chunk has ${source}: it has moved.`);
    collect(chunk);
  }
  return urls;
}

/**
 * Writes index.html and dist/pages, the prerendered public pages, with styles and boot script inline, and what the server
 * needs to know of them: dist/csp.json and dist/pages.json.
 */
export function documents(): Plugin {
  return {
    name: 'documents',
    transformIndexHtml: (_html, { server }) =>
      server && [{ tag: 'script', attrs: { type: 'module', src: '/src/boot/main.ts' } }],
    async writeBundle({ dir = '' }, bundle) {
      const read = (name: string) => readFile(join(dir, name), 'utf8');
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const html = await read('index.html');
      const [link = '', styles = ''] = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/.exec(html) ?? [];
      const css = (await read(styles)).replace(propertyFallback, '');
      const entry = findCode(chunks, ['src/main.tsx']);
      const fonts = Object.keys(bundle).filter((name) => /(figtree|fraunces-latin-600).*woff2$/.test(name));
      const fontLinks = fonts.map((name) => `<link as="font" crossorigin rel="preload" href="/${name}">`);
      const outDir = join(dir, '.prerender');
      const ssr = join(import.meta.dirname, '../src/prerender/render-documents.tsx');
      const rolldownOptions = { output: { entryFileNames: 'entry.mjs' } };
      const options = { ssr, outDir, copyPublicDir: false, rolldownOptions };
      await build({ configFile: false, logLevel: 'warn', build: options });
      const renderer = await import(pathToFileURL(join(outDir, 'entry.mjs')).href);
      const { renderDocuments }: typeof import('../src/prerender/render-documents.tsx') = renderer;
      const files = await renderDocuments({
        html: html.replace(link, () => `<style>${css}</style>${fontLinks.join('')}`),
        bootScript: await bundleScript('src/boot/main.ts'),
        entry,
        findCode: (sources) => findCode(chunks, sources).filter((url) => !entry.includes(url)),
      });
      for (const [name, text] of files) {
        await mkdir(dirname(join(dir, name)), { recursive: true });
        await writeFile(join(dir, name), text);
      }
      await rm(outDir, { recursive: true });
    },
  };
}

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
