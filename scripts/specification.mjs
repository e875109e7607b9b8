// Checks docs/specification.md, which names a test for every line of the specification.

/** @typedef {{ path: string, text: string }} TestFile */

/** The number of lines of the specification, by the prefix of their ids: `API-01` to `API-03`. */
const lineCounts = {
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

const ids = Object.entries(lineCounts).flatMap(([prefix, count]) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(2, '0')}`),
);

const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns whether a title is part of a quoted text on one line of a file. */
const hasTitle = (text, title) => new RegExp(`(['"\`]).*${escapeRegExp(title)}.*\\1`).test(text);

/**
 * Finds the lines of the specification that name no existing test.
 * @param {string} markdown a table whose rows are: | SHELL-01 | What | `path/of/test.ts` › `part of a test title` |
 * @param {TestFile[]} tests the test files, with paths from the root
 * @returns {string[]} a message for each missing id, unknown id, missing file and missing title
 */
export function findSpecificationErrors(markdown, tests) {
  const texts = new Map(tests.map(({ path, text }) => [path, text]));
  const rows = new Map(
    [...markdown.matchAll(/^\| *([A-Z]+-\d\d) *\|.*$/gm)].map(([row, id = '']) => [id, row]),
  );
  const unknown = [...rows.keys()].filter((id) => !ids.includes(id));
  const findRowErrors = (id) => {
    const row = rows.get(id);
    if (row === undefined) return [`${id} has no row.`];
    const references = [...row.matchAll(/`([^`]+)` › `([^`]+)`/g)];
    if (references.length === 0) return [`${id} names no test.`];
    return references.flatMap(([, path = '', title = '']) => {
      const text = texts.get(path);
      if (text === undefined) return [`${id} names ${path}, which is not a test file.`];
      // A pipe in a cell is escaped.
      const isThere = hasTitle(text, title.replaceAll('\\|', '|'));
      return isThere ? [] : [`${id} names a test that ${path} does not contain: ${title}`];
    });
  };
  return [...unknown.map((id) => `${id} is not a line of the specification.`), ...ids.flatMap(findRowErrors)];
}
