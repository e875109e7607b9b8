import { expect, it } from 'vitest';
import { type Bundle, buildPreloadPlan, findEntryFiles, type PreloadSources } from './preload-plan.ts';

type Chunk = { name: string; source?: string; imports?: string[]; isEntry?: boolean };

const buildBundle = (chunks: Chunk[]): Bundle =>
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

const bundle = buildBundle([
  { name: 'main.js', isEntry: true, imports: ['base.js'] },
  { name: 'base.js' },
  { name: 'ui.js', imports: ['base.js', 'icons.js'] },
  { name: 'icons.js', imports: ['ui.js'] },
  { name: 'library.js', source: 'src/library.tsx', imports: ['ui.js', 'base.js'] },
  { name: 'sign-in.js', source: 'src/sign-in.tsx', imports: ['base.js'] },
  { name: 'es.js', source: 'src/es.ts' },
]);
const sources: PreloadSources = {
  pages: { '/library': { modules: ['src/library.tsx'], namespaces: ['auth'], calls: ['/api/x'] } },
  auth: { modules: ['src/sign-in.tsx'] },
  messages: { es: { app: 'src/es.ts' } },
  config: '/config.json',
};

it('lists each file of a page once, without those every page loads', () => {
  expect(buildPreloadPlan(sources, bundle)).toEqual({
    pages: {
      '/library': { files: ['/library.js', '/ui.js', '/icons.js'], namespaces: ['auth'], calls: ['/api/x'] },
    },
    auth: { files: ['/sign-in.js'], namespaces: [], calls: [] },
    messages: { es: { app: ['/es.js'] } },
    config: '/config.json',
  });
});

it('lists the files that every page loads', () => {
  expect(findEntryFiles(bundle)).toEqual(['main.js', 'base.js']);
});

it('throws for a page whose source has no chunk', () => {
  expect(() => buildPreloadPlan({ ...sources, auth: { modules: ['src/moved.tsx'] } }, bundle)).toThrow(
    /src\/moved\.tsx/,
  );
});
