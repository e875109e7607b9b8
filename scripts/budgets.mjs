// The first load of each route: the JavaScript and CSS that its document loads at once, against its budgets.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './prepare.mjs';

const dist = join(root, 'apps/web/dist');

/**
 * Budgets in kB of gzipped JavaScript and CSS, and in files of JavaScript: browsers load six at a time, and each waits for a
 * round trip. Without the player: pages show their content before it loads.
 */
const budgets = {
  '/auth/sign-in': { kilobytes: 140, files: 7 },
  '/welcome': { kilobytes: 145, files: 8 },
  '/discover': { kilobytes: 150, files: 7 },
  '/library': { kilobytes: 157, files: 11 },
  '/articles/search/': { kilobytes: 157, files: 12 },
  '/articles/read/': { kilobytes: 157, files: 12 },
  '/playlist/': { kilobytes: 157, files: 11 },
  '/visual-book': { kilobytes: 157, files: 11 },
  '/settings': { kilobytes: 167, files: 13 },
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
 * @returns {{ path: string, kilobytes: number, files: number, budget: { kilobytes: number, files: number } }[]} empty without a
 *   build; NaN for a page that is not in it
 */
export function measureRoutes() {
  if (!existsSync(join(dist, 'index.html'))) return [];
  return Object.entries(budgets).map(([path, budget]) => {
    const page = readPage(path);
    if (!page || page.urls.length === 0) return { path, budget, kilobytes: Number.NaN, files: Number.NaN };
    const styles = [...page.html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css]) => css);
    const files = [...new Set(page.urls)].map((url) => readFileSync(join(dist, url)));
    const bytes = [...styles, ...files].reduce((sum, content) => sum + gzipSize(content), 0);
    return { path, budget, kilobytes: bytes / 1000, files: files.length };
  });
}

/** Returns an error for each route over its budget. A missing page is an error, so that the check cannot pass without measuring. */
export function findBudgetErrors() {
  const sizes = measureRoutes();
  if (sizes.length === 0) return ['There is no web build to measure.'];
  return sizes
    .filter(({ kilobytes, files, budget }) => !(kilobytes <= budget.kilobytes && files <= budget.files))
    .map(
      ({ path, kilobytes, files, budget }) =>
        `${path} loads ${kilobytes.toFixed(1)} kB in ${files} files of JavaScript before it shows its content; its budget is ${budget.kilobytes} kB in ${budget.files}.`,
    );
}
