import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { bundleScript } from './bundle.ts';

interface BuiltFile {
  type: 'chunk' | 'asset';
  fileName: string;
  facadeModuleId?: string | null;
  imports?: readonly string[];
  isEntry?: boolean;
}
type Bundle = Readonly<Record<string, BuiltFile>>;

/** Tailwind's fallback for browsers without @property, which the build does not target. */
const propertyFallback = /@layer properties\{@supports[\s\S]*?\}\}\}(?=@layer )/;

const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Returns the CSP hash sources of the inline scripts and styles of documents.
 *
 * @throws for an inline style attribute or event handler, which no hash can allow
 */
export function getCspHashes(html: string): { scripts: string[]; styles: string[] } {
  if (/<[^>]+\s(?:style|on\w+)=/i.test(html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')))
    throw new Error('A page has an inline style or event handler: the CSP would block it.');
  const hashAll = (pattern: RegExp) => [
    ...new Set([...html.matchAll(pattern)].map(([, text]) => hash(text))),
  ];
  return {
    scripts: hashAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi),
    styles: hashAll(/<style[^>]*>([\s\S]*?)<\/style>/gi),
  };
}

function collectImports(bundle: Bundle, file: BuiltFile | undefined, found: Set<string>): Set<string> {
  if (!file || found.has(file.fileName)) return found;
  found.add(file.fileName);
  for (const name of file.imports ?? []) collectImports(bundle, bundle[name], found);
  return found;
}

/**
 * Returns the URLs of the code of source files, without that of the entry.
 *
 * @throws for a source file without a chunk of its own
 */
export function findCode(bundle: Bundle, sources: readonly string[]): { entry: string[]; page: string[] } {
  const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
  const entry = collectImports(
    bundle,
    chunks.find(({ isEntry }) => isEntry),
    new Set(),
  );
  const all = new Set(entry);
  for (const source of sources) {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${source}`));
    if (!chunk) throw new Error(`No chunk for ${source}: it is not loaded lazily, or has moved.`);
    collectImports(bundle, chunk, all);
  }
  const toUrl = (name: string) => `/${name}`;
  return { entry: [...entry].map(toUrl), page: [...all].filter((name) => !entry.has(name)).map(toUrl) };
}

/**
 * Writes index.html and dist/pages, the prerendered public pages. Styles and boot script are inline; dist/csp.json has their
 * hashes for the Content Security Policy, dist/pages.json the list of pages for the server.
 */
export function documents(): Plugin {
  let root = '';
  return {
    name: 'documents',
    configResolved: (config) => {
      root = config.root;
    },
    transformIndexHtml: (_html, { server }) =>
      server && [{ tag: 'script', attrs: { type: 'module', src: '/src/boot/main.ts' } }],
    async writeBundle({ dir = '' }, bundle) {
      const outDir = join(dir, '.prerender');
      const output = { entryFileNames: 'entry.mjs' };
      const ssr = 'src/prerender/render-documents.tsx';
      await build({
        root,
        configFile: false,
        logLevel: 'warn',
        build: { ssr, outDir, copyPublicDir: false, rolldownOptions: { output } },
      });
      const { renderDocuments }: typeof import('../src/prerender/render-documents.tsx') = await import(
        pathToFileURL(join(outDir, 'entry.mjs')).href
      );
      const files = Object.values(bundle);
      const html = await readFile(join(dir, 'index.html'), 'utf8');
      const [link = '', href] = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/.exec(html) ?? [];
      const styles = files.find(({ fileName }) => fileName === href);
      if (styles?.type !== 'asset') throw new Error('index.html has no styles.');
      const { entry } = findCode(bundle, []);
      const preloads = [
        ...files.flatMap(({ fileName }) =>
          /figtree.*woff2$/.test(fileName) ? [`as="font" crossorigin rel="preload" href="/${fileName}"`] : [],
        ),
        ...entry.map((url) => `rel="modulepreload" href="${url}"`),
      ];
      const rendered = await renderDocuments({
        html: html.replace(
          link,
          () =>
            `<style>${String(styles.source).replace(propertyFallback, '')}</style>${preloads.map((attributes) => `<link ${attributes}>`).join('')}`,
        ),
        bootScript: await bundleScript('src/boot/main.ts'),
        findCode: (sources) => findCode(bundle, sources).page,
      });
      rendered.documents.set('pages.json', JSON.stringify(rendered.pages));
      rendered.documents.set(
        'csp.json',
        JSON.stringify(getCspHashes([...rendered.documents.values()].join(''))),
      );
      for (const [name, text] of rendered.documents) {
        await mkdir(dirname(join(dir, name)), { recursive: true });
        await writeFile(join(dir, name), text);
      }
      await rm(outDir, { recursive: true });
    },
  };
}
