import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import type { PrerenderedPage } from '../src/prerender/render-pages.tsx';

/** The server replaces it by the origin of PUBLIC_URL. */
const ORIGIN_PLACEHOLDER = 'https://origin.invalid';

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function renderHead({ path, language, isIndexed, title, description }: PrerenderedPage): string {
  const url = `${ORIGIN_PLACEHOLDER}${path}`;
  const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}">`;
  const property = (name: string, content: string) =>
    `<meta property="og:${name}" content="${escapeHtml(content)}">`;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('description', description),
    `<link rel="canonical" href="${url}">`,
    ...(isIndexed
      ? [
          property('type', 'website'),
          property('site_name', 'Escucho'),
          property('title', title),
          property('description', description),
          property('image', `${ORIGIN_PLACEHOLDER}/share.png`),
          property('url', url),
          property('locale', language === 'es' ? 'es_ES' : 'en_GB'),
        ]
      : [meta('robots', 'noindex')]),
  ].join('');
}

/** Returns the document of a prerendered page, from that of index.html. */
export function renderDocument(template: string, page: PrerenderedPage): string {
  const replacements: [RegExp, string][] = [
    [/<html lang="en"/, `<html lang="${page.language}" data-page="${page.path}"`],
    [/<meta name="description"[^>]*>/, ''],
    [/<title>[^<]*<\/title>/, renderHead(page)],
    [/(<div id="root">)[\s\S]*?<!--\/root-->/, `<div id="root">${page.html}`],
  ];
  return replacements.reduce((html, [pattern, text]) => {
    if (!pattern.test(html)) throw new Error(`index.html has no ${pattern}.`);
    return html.replace(pattern, () => text);
  }, template);
}

/** Writes dist/pages, the public pages in every language, and dist/pages.json, their list. */
export function prerender(): Plugin {
  let directory = '';
  return {
    name: 'prerender',
    apply: 'build',
    configResolved(config) {
      directory = join(config.root, config.build.outDir);
    },
    async writeBundle() {
      const outDir = join(directory, '.prerender');
      const entry = fileURLToPath(new URL('../src/prerender/render-pages.tsx', import.meta.url));
      await build({
        configFile: false,
        logLevel: 'warn',
        plugins: [react()],
        build: {
          ssr: entry,
          outDir,
          copyPublicDir: false,
          rolldownOptions: { output: { entryFileNames: 'render-pages.mjs' } },
        },
      });
      const { renderPages }: typeof import('../src/prerender/render-pages.tsx') = await import(
        pathToFileURL(join(outDir, 'render-pages.mjs')).href
      );
      const template = await readFile(join(directory, 'index.html'), 'utf8');
      const pages = await renderPages();
      for (const page of pages) {
        const file = join(directory, 'pages', page.language, `${page.path}.html`);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, renderDocument(template, page));
      }
      const list = pages
        .filter(({ language }) => language === 'en')
        .map(({ path, isIndexed }) => ({ path, isIndexed }));
      await writeFile(join(directory, 'pages.json'), JSON.stringify(list));
      await rm(outDir, { recursive: true });
    },
  };
}
