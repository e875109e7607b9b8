// Checks docs/specification.md, which names a test for every line of the specification, and the links of docs/security.md.

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
 * Finds the lines of the specification that name no test, and the names of tests that do not exist.
 * @param {string} markdown tables whose rows are: | SHELL-01 | What | `path/of/test.ts` › `part of a test title` |; rows
 *   of deliberate departures begin with a text instead of an id
 * @param {TestFile[]} tests the test files, with paths from the root
 * @returns {string[]} a message for each missing id, unknown id, missing file and missing title
 */
export function findSpecificationErrors(markdown, tests) {
  const texts = new Map(tests.map(({ path, text }) => [path, text]));
  const rows = [...markdown.matchAll(/^\| *(.+?) *\|.*$/gm)].map(([row, name = '']) => ({
    name,
    references: [...row.matchAll(/`([^`]+)` › `([^`]+)`/g)],
  }));
  const documented = new Set(rows.filter((row) => row.references.length > 0).map((row) => row.name));
  const isId = (name) => /^[A-Z]+-\d\d$/.test(name);
  return [
    ...rows
      .filter(({ name }) => isId(name) && !ids.includes(name))
      .map(({ name }) => `${name} is not a line of the specification.`),
    ...ids.filter((id) => !documented.has(id)).map((id) => `${id} names no test.`),
    ...rows.flatMap(({ name, references }) =>
      references.flatMap(([, path = '', title = '']) => {
        const text = texts.get(path);
        if (text === undefined) return [`${name} names ${path}, which is not a test file.`];
        // A pipe in a cell is escaped.
        if (hasTitle(text, title.replaceAll('\\|', '|'))) return [];
        return [`${name} names a test that ${path} does not contain: ${title}`];
      }),
    ),
  ];
}

/**
 * Checks the reference links of a document.
 * @param {string} markdown a document with definitions such as `[name]: ../path`
 * @param {(path: string) => boolean} exists returns whether a path, relative to the document, exists
 * @returns {string[]} a message for each name without a definition, and each definition of a missing file
 */
export function findLinkErrors(markdown, exists) {
  const definitions = new Map(
    [...markdown.matchAll(/^\[([\w-]+)\]: (\S+)$/gm)].map(([, name, path]) => [name, path]),
  );
  const names = new Set([...markdown.matchAll(/\[([a-z][\w-]*)\](?![(:])/g)].map(([, name]) => name));
  return [
    ...[...names].filter((name) => !definitions.has(name)).map((name) => `[${name}] has no definition`),
    ...[...definitions]
      .filter(([, path]) => !exists(path))
      .map(([name, path]) => `[${name}]: ${path} does not exist`),
  ];
}
