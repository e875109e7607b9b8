// What the browser must have before a route shows its content, in gzipped kB, against its budget.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './prepare.mjs';

const dist = join(root, 'apps/web/dist');

// The player's footer comes after the content; the page does not wait for it.
const shell = ['src/app/layouts/main-layout.tsx'];
const words = 'src/shared/i18n/messages/en/auth.ts';
const reading = 'src/shared/i18n/messages/en/articles.ts';
const corner = 'src/shared/i18n/messages/en/library.ts';

/** Routes by the modules they show, with budgets in kB of JavaScript and CSS. */
const routes = [
  {
    path: '/auth/sign-in',
    pages: [words, 'src/app/layouts/auth-layout.tsx', 'src/app/pages/auth/sign-in.tsx'],
    budget: 130,
  },
  { path: '/discover', pages: [...shell, 'src/app/pages/discover.tsx'], budget: 140 },
  { path: '/library', pages: [...shell, corner, 'src/app/pages/library.tsx'], budget: 145 },
  {
    path: '/articles/search',
    pages: [
      ...shell,
      reading,
      'src/app/pages/articles.tsx',
      'src/features/articles/components/search-results.tsx',
    ],
    budget: 145,
  },
  {
    path: '/articles/read',
    pages: [
      ...shell,
      reading,
      'src/app/pages/articles.tsx',
      'src/features/articles/components/article-view.tsx',
    ],
    budget: 145,
  },
  { path: '/playlist', pages: [...shell, corner, 'src/app/pages/playlist.tsx'], budget: 145 },
  { path: '/visual-book', pages: [...shell, reading, 'src/app/pages/visual-book.tsx'], budget: 145 },
  {
    path: '/settings',
    pages: [
      ...shell,
      words,
      'src/shared/i18n/messages/en/settings.ts',
      'src/app/pages/settings/settings-layout.tsx',
      'src/app/pages/settings/profile.tsx',
    ],
    budget: 155,
  },
];

const gzipped = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;

/** Everything a chunk needs before it runs. In: Vite's manifest and a chunk's key. Out: the files, CSS included. */
function closure(manifest, key, seen = new Set()) {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const css of chunk.css ?? []) seen.add(css);
  for (const imported of chunk.imports ?? []) closure(manifest, imported, seen);
  return seen;
}

/** First-load sizes. Out: `[{ path, kilobytes, budget }]`; a page that is not in the build has NaN. */
export function routeSizes() {
  const file = join(dist, '.vite/manifest.json');
  if (!existsSync(file)) return [];
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  // Styles that ride in the page count as well: its inline part is measured with the page itself.
  const inlined = /<style[^>]*>([\s\S]*?)<\/style>/g;
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const inlineBytes = [...html.matchAll(inlined)].reduce(
    (sum, match) => sum + gzipSync(match[1] ?? '').length,
    0,
  );
  return routes.map(({ path, pages, budget }) => {
    const files = closure(manifest, 'index.html');
    for (const page of pages) closure(manifest, page, files);
    const known = pages.every((page) => manifest[page]);
    const bytes = [...files]
      .filter((name) => !(name.endsWith('.css') && inlineBytes > 0 && !existsSync(join(dist, name))))
      .reduce((sum, name) => sum + gzipped(name), inlineBytes);
    return { path, budget, kilobytes: known ? bytes / 1000 : Number.NaN };
  });
}

/** Routes over their budget, a sentence each; a missing page is a fault, so that the check cannot pass without measuring. */
export function budgetFaults() {
  const sizes = routeSizes();
  if (sizes.length === 0) return ['There is no web build to measure.'];
  return sizes
    .filter(({ kilobytes, budget }) => !(kilobytes <= budget))
    .map(
      ({ path, kilobytes, budget }) =>
        `${path} loads ${kilobytes.toFixed(1)} kB before it shows its content; its budget is ${budget} kB.`,
    );
}
