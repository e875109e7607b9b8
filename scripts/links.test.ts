import { expect, it } from 'vitest';
import { findLinkErrors } from './links.mjs';

const exists = (path: string) => path === '../a.test.ts';

it('reports names without a definition and definitions of missing files', () => {
  expect(findLinkErrors('| Met | [a] |\n\n[a]: ../a.test.ts\n', exists)).toEqual([]);
  expect(findLinkErrors('[a] [b] [text](c)\n\n[a]: ../gone.test.ts\n', exists)).toEqual([
    '[b] has no definition',
    '[a]: ../gone.test.ts does not exist',
  ]);
});
