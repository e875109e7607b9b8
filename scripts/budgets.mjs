// First-load size of each route: the JavaScript and CSS that its document loads at once, gzipped, against its budget.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './prepare.mjs';

const dist = join(root, 'apps/web/dist');

/** Budgets in kB of gzipped JavaScript and CSS. Without the player: pages show their content before it loads. */
const budgets = {
  '/auth/sign-in': 140,
  '/welcome': 145,
  '/discover': 150,
  '/library': 157,
  '/articles/search/': 157,
  '/articles/read/': 157,
  '/playlist/': 157,
  '/visual-book': 157,
  '/settings': 167,
};

const gzipSize = (bytes) => gzipSync(bytes, { level: 9 }).length;

const findPreloads = (html) =>
  [...html.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, url]) => url);

/** Reads a constant that the build has written into the inline script of a document. */
const readConstant = (html, name) =>
  JSON.parse(new RegExp(`window\\.${name}=(.+?);`).exec(html)?.[1] ?? 'null');

/** Returns the document of a path, and the URLs of the code that it loads; undefined for a page that is not in the build. */
function readPage(path) {
  const prerendered = join(dist, `pages/en${path}.html`);
  const html = readFileSync(existsSync(prerendered) ? prerendered : join(dist, 'index.html'), 'utf8');
  if (existsSync(prerendered)) return { html, urls: readConstant(html, '__modules') ?? [] };
  const page = readConstant(html, '__preloads')?.[path];
  return page && { html, urls: [...findPreloads(html), ...page.files.en] };
}

/**
 * Measures the first load of each route.
 * @returns {{ path: string, budget: number, kilobytes: number }[]} empty without a build; NaN for a page that is not in it
 */
export function measureRoutes() {
  if (!existsSync(join(dist, 'index.html'))) return [];
  return Object.entries(budgets).map(([path, budget]) => {
    const page = readPage(path);
    if (!page || page.urls.length === 0) return { path, budget, kilobytes: Number.NaN };
    const styles = [...page.html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css]) => css);
    const files = [...new Set(page.urls)].map((url) => readFileSync(join(dist, url)));
    const bytes = [...styles, ...files].reduce((sum, content) => sum + gzipSize(content), 0);
    return { path, budget, kilobytes: bytes / 1000 };
  });
}

/** Returns an error for each route over its budget. A missing page is an error, so that the check cannot pass without measuring. */
export function findBudgetErrors() {
  const sizes = measureRoutes();
  if (sizes.length === 0) return ['There is no web build to measure.'];
  return sizes
    .filter(({ kilobytes, budget }) => !(kilobytes <= budget))
    .map(
      ({ path, kilobytes, budget }) =>
        `${path} loads ${kilobytes.toFixed(1)} kB before it shows its content; its budget is ${budget} kB.`,
    );
}
