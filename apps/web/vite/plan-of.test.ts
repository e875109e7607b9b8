import { expect, it } from 'vitest';
import { type Bundle, entryFiles, type Pages, planOf } from './plan-of.ts';

type Chunk = { name: string; source?: string; imports?: string[]; isEntry?: boolean };

/** A bundle as the bundler hands it over, as far as a plan reads it. */
const bundleOf = (chunks: Chunk[]): Bundle =>
  Object.fromEntries(
    chunks.map(({ name, source = null, imports = [], isEntry = false }) => [
      name,
      {
        type: 'chunk' as const,
        fileName: name,
        facadeModuleId: source && `/somewhere/${source}`,
        imports,
        isEntry,
      },
    ]),
  );

const bundle = bundleOf([
  { name: 'main.js', isEntry: true, imports: ['base.js'] },
  { name: 'base.js' },
  { name: 'ui.js', imports: ['base.js', 'icons.js'] },
  { name: 'icons.js', imports: ['ui.js'] },
  { name: 'library.js', source: 'src/library.tsx', imports: ['ui.js', 'base.js'] },
  { name: 'sign-in.js', source: 'src/sign-in.tsx', imports: ['base.js'] },
  { name: 'es.js', source: 'src/es.ts' },
]);
const pages: Pages = {
  pages: { '/library': { modules: ['src/library.tsx'], words: ['more'], calls: ['/api/x'] } },
  auth: { modules: ['src/sign-in.tsx'] },
  words: { es: { app: 'src/es.ts' } },
  config: '/config.json',
};

it('names every file a page needs beyond what every page loads, each once', () => {
  expect(planOf(pages, bundle)).toEqual({
    pages: {
      '/library': { files: ['/library.js', '/ui.js', '/icons.js'], words: ['more'], calls: ['/api/x'] },
    },
    auth: { files: ['/sign-in.js'], words: [], calls: [] },
    words: { es: { app: ['/es.js'] } },
    config: '/config.json',
  });
});

it('names the files that every page loads', () => {
  expect(entryFiles(bundle)).toEqual(['main.js', 'base.js']);
});

it('a page whose source has no file of its own stops the build', () => {
  expect(() => planOf({ ...pages, auth: { modules: ['src/moved.tsx'] } }, bundle)).toThrow(/src\/moved\.tsx/);
});
