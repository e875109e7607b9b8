import { createHash } from 'node:crypto';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { guardedPatterns } from '../app/auth-redirects.ts';
import { App } from '../app/create-app.tsx';
import { type Language, languages } from '../shared/choices.ts';
import { formatPageTitle } from '../shared/document.ts';
import { getT, showLanguage } from '../shared/i18n/i18n.ts';
import { LocationProvider, toStaticLocation } from '../shared/location.tsx';
import { paths } from '../shared/paths.ts';
import { appPages, describeCalls, type PageCode, type PublicPage, publicPages } from './pages.ts';
import { renderSkeleton } from './render-skeleton.tsx';

/** A public page in one language. */
export interface PrerenderedPage extends Omit<PublicPage, 'title' | 'description'> {
  language: Language;
  title: string;
  description: string;
  /** The content of the root element. */
  html: string;
}

async function renderApp(path: string): Promise<string> {
  const { prelude } = await prerender(
    <LocationProvider location={toStaticLocation(path)}>
      <App />
    </LocationProvider>,
    // Else parts of a long page would be moved into place by inline scripts.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}

/** Renders the public pages in every language. */
export async function renderPages(): Promise<PrerenderedPage[]> {
  const pages: PrerenderedPage[] = [];
  for (const language of languages) {
    await showLanguage(language);
    for (const page of publicPages) {
      // The texts are loaded along with the page.
      const html = await renderApp(page.path);
      const t = getT();
      const title = formatPageTitle(t, t(page.title));
      pages.push({ ...page, language, title, description: t(page.description), html });
    }
  }
  return pages;
}

/** The server replaces it by the origin of PUBLIC_URL. */
const ORIGIN = 'https://origin.invalid';

/** Title, description and, for search engines and messengers, address and picture of a page. */
const Metadata = ({ path, language, isIndexed, title, description }: PrerenderedPage) => (
  <>
    <title>{title}</title>
    <meta name="description" content={description} />
    <link rel="canonical" href={ORIGIN + path} />
    {isIndexed ? (
      <>
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Escucho" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:url" content={ORIGIN + path} />
        <meta property="og:locale" content={language === 'es' ? 'es_ES' : 'en_GB'} />
        <meta property="og:image" content={`${ORIGIN}/share.png`} />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta name="twitter:card" content="summary_large_image" />
      </>
    ) : (
      <meta name="robots" content="noindex" />
    )}
  </>
);

/** What the build knows of the documents. */
export interface DocumentParts {
  /** index.html with the marks that are replaced: `<!--head-->` … `<!--/head-->` for metadata, `<!--root-->` … for content. */
  html: string;
  bootScript: string;
  /** The URLs of the entry's code. */
  entry: readonly string[];
  /** Returns the URLs of the code of source files, without that of the entry. */
  findCode: (sources: readonly string[]) => string[];
}

const replaceBetween = (html: string, name: string, text: string): string => {
  const [start, end] = [html.indexOf(`<!--${name}-->`), html.indexOf(`<!--/${name}-->`)];
  if (start < 0 || end < 0) throw new Error(`index.html has no mark ${name}.`);
  return html.slice(0, start) + text + html.slice(end + name.length + 8);
};

const preload = (urls: readonly string[]) =>
  urls.map((url) => `<link rel="modulepreload" href="${url}">`).join('');

/** The script of the entry, which the boot script of a prerendered page loads. */
const entryScript = /\s*<script type="module"[^>]*><\/script>/;

/** Returns the hash sources of the inline elements of a tag. */
function hashInline(html: string, tag: 'script' | 'style'): string[] {
  const elements = html.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${tag}>`, 'gi'));
  const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [...new Set([...elements].map(([, text]) => hash(text)))];
}

/**
 * Returns the CSP hash sources of the inline scripts and styles of documents.
 *
 * @throws for an inline style attribute or event handler, which no hash can allow
 */
export function getCspHashes(html: string): { scripts: string[]; styles: string[] } {
  if (/<[^>]+\s(?:style|on\w+)=/i.test(html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')))
    throw new Error('A page has an inline style or event handler: the CSP would block it.');
  return { scripts: hashInline(html, 'script'), styles: hashInline(html, 'style') };
}

/**
 * Renders the documents, by file name: index.html, with the preloads of the pages for signed-in users, and the prerendered
 * public pages; for the server, csp.json with the hashes of their inline scripts and styles, and pages.json with their list
 * and regular expressions of the paths that index.html answers. Runs at build time, in Node.
 */
export async function renderDocuments({
  html,
  bootScript,
  entry,
  findCode,
}: DocumentParts): Promise<Map<string, string>> {
  const findFiles = ({ modules, namespaces }: PageCode, language: Language) =>
    findCode([
      ...modules.map((module) => `src/${module}`),
      // The entry has the messages of `app` in English.
      ...[...(language === 'en' ? [] : ['app']), ...namespaces].map(
        (namespace) => `src/shared/i18n/messages/${language}/${namespace}.ts`,
      ),
    ]);
  // index.html preloads a page's own code and the entry before what they import, as the app starts with them.
  const listFiles = (page: PageCode) =>
    Object.fromEntries(languages.map((language) => [language, findFiles(page, language).toReversed()]));
  const preloads = Object.entries(appPages).map(([path, page]) => {
    const { variantOf } = page;
    const code = variantOf === undefined ? { files: listFiles(page) } : { variantOf };
    return [path, { ...code, ...describeCalls(page) }];
  });
  const plan = `window.__preloads=${JSON.stringify(Object.fromEntries(preloads))}`;
  const documents = new Map<string, string>();
  const fill = (parts: Record<string, string>) =>
    Object.entries(parts).reduce((filled, [name, text]) => replaceBetween(filled, name, text), html);
  for (const language of languages) {
    await showLanguage(language);
    const boot = `${preload(entry.toReversed())}<script>${plan};${bootScript}</script>`;
    documents.set(
      language === 'en' ? 'index.html' : `pages/${language}/index.html`,
      fill({ boot, root: await renderSkeleton() }).replace('<html lang="en"', `<html lang="${language}"`),
    );
  }
  const pages = await renderPages();
  for (const page of pages) {
    const { path, language } = page;
    const modules = `window.__modules=${JSON.stringify([...entry, ...findFiles(page, language)])}`;
    const boot = `<script>${modules};${bootScript}</script>`;
    const parts = { head: renderToStaticMarkup(<Metadata {...page} />), boot, root: page.html };
    documents.set(
      `pages/${language}${path}.html`,
      fill(parts)
        .replace(entryScript, '')
        .replace('<html lang="en"', `<html lang="${language}" data-page="${path}"`),
    );
  }
  const hashes = getCspHashes([...documents.values()].join(''));
  const list = pages.filter(({ language }) => language === 'en');
  const server = {
    pages: list.map(({ path, isIndexed }) => ({ path, isIndexed })),
    routes: ['^/$', `^${paths.signOut}/?$`, ...guardedPatterns.map(({ source }) => source)],
  };
  return documents.set('csp.json', JSON.stringify(hashes)).set('pages.json', JSON.stringify(server));
}
