import { describe, expect, it } from 'vitest';
import { findLinkErrors, findSpecificationErrors } from './documentation.mjs';

const counts = {
  API: 3,
  AUTH: 14,
  BUY: 7,
  CAT: 10,
  EXT: 7,
  IDP: 4,
  LIST: 7,
  PLAY: 8,
  RCB: 2,
  ROUTE: 4,
  SHELL: 11,
  SUB: 7,
};
const ids = Object.entries(counts).flatMap(([prefix, count]) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(2, '0')}`),
);
const path = 'services/portal/src/a.test.ts';
const tests = [
  {
    path,
    text: "it('[API-01] saves a position', () => {});\n// deletes everything\nit(`a | b`, () => {});",
  },
];
const validRow = (id: string) => `| ${id} | What | \`${path}\` › \`saves a position\` |`;

/** Builds a complete table in which one line is replaced. */
function buildTable(id = '', replacement = ''): string {
  const rows = ids.map((each) => (each === id ? replacement : validRow(each)));
  return ['# Specification', '', '| ID | What | Test |', '| --- | --- | --- |', ...rows].join('\n');
}

describe('findSpecificationErrors', () => {
  it('accepts a table with an existing test for each of the 84 lines', () => {
    expect(ids).toHaveLength(84);
    expect(findSpecificationErrors(buildTable(), tests)).toEqual([]);
  });

  it('accepts several tests in a row, and an escaped pipe', () => {
    const row = `| BUY-07 | What | \`${path}\` › \`saves a position\`, \`${path}\` › \`a \\| b\` |`;
    expect(findSpecificationErrors(buildTable('BUY-07', row), tests)).toEqual([]);
  });

  it.each([
    ['a missing line', '', ['BUY-07 names no test.']],
    ['a line without a test', '| BUY-07 | What | |', ['BUY-07 names no test.']],
    [
      'a file that does not exist',
      '| BUY-07 | What | `a.test.ts` › `saves` |',
      ['BUY-07 names a.test.ts, which is not a test file.'],
    ],
    [
      'a title outside quotes',
      `| BUY-07 | What | \`${path}\` › \`deletes everything\` |`,
      [`BUY-07 names a test that ${path} does not contain: deletes everything`],
    ],
    [
      'a test of a departure that does not exist',
      `${validRow('BUY-07')}\n| Silent | Reason | BUY-07 | \`${path}\` › \`plays\` |`,
      [`Silent names a test that ${path} does not contain: plays`],
    ],
    [
      'an unknown id',
      `${validRow('BUY-07')}\n${validRow('BUY-08')}`,
      ['BUY-08 is not a line of the specification.'],
    ],
  ])('reports %s', (_, row, errors) => {
    expect(findSpecificationErrors(buildTable('BUY-07', row), tests)).toEqual(errors);
  });
});

const exists = (path: string) => path === '../a.test.ts';

it('reports names without a definition and definitions of missing files', () => {
  expect(findLinkErrors('| Met | [a] |\n\n[a]: ../a.test.ts\n', exists)).toEqual([]);
  expect(findLinkErrors('[a] [b] [text](c)\n\n[a]: ../gone.test.ts\n', exists)).toEqual([
    '[b] has no definition',
    '[a]: ../gone.test.ts does not exist',
  ]);
});
