import { expect, it } from 'vitest';
import { findCode } from './plugins.ts';

const buildChunk = (fileName: string, moduleIds: string[], imports: string[] = []) => ({
  fileName,
  moduleIds,
  imports,
});
const chunks = [
  buildChunk('main.js', ['/web/src/main.tsx'], ['base.js']),
  buildChunk('base.js', ['/web/src/base.ts']),
  buildChunk('ui.js', ['/web/src/button.tsx', '/web/src/menu.tsx'], ['base.js', 'icons.js']),
  buildChunk('icons.js', ['/node_modules/icons/index.js'], ['ui.js']),
  buildChunk('library.js', ['/web/src/library.tsx'], ['ui.js', 'base.js']),
];

it('lists each file of source files once, after those that it imports', () => {
  expect(findCode(chunks, ['src/main.tsx', 'src/library.tsx'])).toEqual([
    '/base.js',
    '/main.js',
    '/icons.js',
    '/ui.js',
    '/library.js',
  ]);
});

it('finds a source file in a chunk of several', () => {
  expect(findCode(chunks, ['src/menu.tsx'])).toContain('/ui.js');
});

it('throws for a source file without a chunk', () => {
  expect(() => findCode(chunks, ['src/moved.tsx'])).toThrow(/src\/moved\.tsx/);
});
