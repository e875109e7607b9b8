// Checks the reference links of a document.

/**
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
