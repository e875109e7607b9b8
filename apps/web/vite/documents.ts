import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { bundleScript } from './bundle.ts';

/** Tailwind's fallback for browsers without @property, which the build does not target. */
const propertyFallback = /@layer properties\{@supports[\s\S]*?\}\}\}(?=@layer )/;

function hashAll(html: string, pattern: RegExp): string[] {
  const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [...new Set([...html.matchAll(pattern)].map(([, text]) => hash(text)))];
}

/**
 * Returns the CSP hash sources of the inline scripts and styles of documents.
 *
 * @throws for an inline style attribute or event handler, which no hash can allow
 */
export function getCspHashes(html: string): { scripts: string[]; styles: string[] } {
  if (/<[^>]+\s(?:style|on\w+)=/i.test(html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')))
    throw new Error('A page has an inline style or event handler: the CSP would block it.');
  return {
    scripts: hashAll(html, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi),
    styles: hashAll(html, /<style[^>]*>([\s\S]*?)<\/style>/gi),
  };
}

/** A file of the build: its modules, and the files that it imports. */
type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'moduleIds' | 'imports'>;

/**
 * Returns the URLs of the code of source files and of what they import.
 *
 * @throws for a source file that no chunk has
 */
export function findCode(chunks: readonly Chunk[], sources: readonly string[]): string[] {
  const urls = new Set<string>();
  const collect = (chunk: Chunk): void => {
    if (urls.has(`/${chunk.fileName}`)) return;
    urls.add(`/${chunk.fileName}`);
    for (const name of chunk.imports) chunks.filter(({ fileName }) => fileName === name).forEach(collect);
  };
  for (const source of sources) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${source}`)));
    if (!chunk) throw new Error(`No chunk has ${source}: it has moved.`);
    collect(chunk);
  }
  return [...urls];
}

/**
 * Writes index.html and dist/pages, the prerendered public pages. Styles and boot script are inline; dist/csp.json has their
 * hashes for the Content Security Policy, dist/pages.json the list of pages for the server.
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
      const fonts = Object.keys(bundle).filter((name) => /figtree.*woff2$/.test(name));
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
      files.set('csp.json', JSON.stringify(getCspHashes([...files.values()].join(''))));
      for (const [name, text] of files) {
        await mkdir(dirname(join(dir, name)), { recursive: true });
        await writeFile(join(dir, name), text);
      }
      await rm(outDir, { recursive: true });
    },
  };
}
