// First-load size of each route in gzipped kB of JavaScript and CSS, against its budget.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './prepare.mjs';

const dist = join(root, 'apps/web/dist');

// Without the player: pages show their content before it loads.
const layout = 'src/app/layouts/main-layout.tsx';
const messages = (namespace) => `src/shared/i18n/messages/en/${namespace}.ts`;
const page = (name) => `src/app/pages/${name}.tsx`;

/** Routes with the modules that they show, and their budgets in kB. */
const routes = [
  {
    path: '/auth/sign-in',
    modules: ['src/app/layouts/auth-layout.tsx', messages('auth'), page('auth/sign-in')],
    budget: 140,
  },
  { path: '/welcome', modules: [messages('welcome'), page('welcome')], budget: 145 },
  { path: '/discover', modules: [layout, page('discover')], budget: 150 },
  { path: '/library', modules: [layout, messages('library'), page('library')], budget: 157 },
  {
    path: '/articles/search',
    modules: [
      layout,
      messages('articles'),
      page('articles'),
      'src/features/articles/components/search-results.tsx',
    ],
    budget: 157,
  },
  {
    path: '/articles/read',
    modules: [
      layout,
      messages('articles'),
      page('articles'),
      'src/features/articles/components/article-view.tsx',
    ],
    budget: 157,
  },
  { path: '/playlist', modules: [layout, messages('library'), page('playlist')], budget: 157 },
  { path: '/visual-book', modules: [layout, messages('articles'), page('visual-book')], budget: 157 },
  {
    path: '/settings',
    modules: [
      layout,
      messages('auth'),
      messages('settings'),
      page('settings/settings-layout'),
      page('settings/profile'),
    ],
    budget: 167,
  },
];

const gzipSize = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** Adds a chunk's file and those of its static imports and styles, by the keys of Vite's manifest. */
function collectFiles(manifest, key, files = new Set()) {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const css of chunk.css ?? []) files.add(css);
  for (const imported of chunk.imports ?? []) collectFiles(manifest, imported, files);
  return files;
}

/**
 * Measures the first load of each route.
 * @returns {{ path: string, budget: number, kilobytes: number }[]} empty without a build; NaN for a page that is not in it
 */
export function measureRoutes() {
  const file = join(dist, '.vite/manifest.json');
  if (!existsSync(file)) return [];
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const inlineBytes = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].reduce(
    (sum, [, css = '']) => sum + gzipSize(css),
    0,
  );
  // An inlined style sheet is counted with the page.
  const isFile = (name) => !name.endsWith('.css') || inlineBytes === 0 || existsSync(join(dist, name));
  return routes.map(({ path, modules, budget }) => {
    const files = collectFiles(manifest, 'index.html');
    for (const module of modules) collectFiles(manifest, module, files);
    const isBuilt = modules.every((module) => manifest[module]);
    const bytes = [...files]
      .filter(isFile)
      .reduce((sum, name) => sum + gzipSize(readFileSync(join(dist, name))), inlineBytes);
    return { path, budget, kilobytes: isBuilt ? bytes / 1000 : Number.NaN };
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
