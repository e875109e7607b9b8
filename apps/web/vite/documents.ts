import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { bundleScript } from './bundle.ts';

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
