import { expect, it } from 'vitest';

const sources: Record<string, string> = import.meta.glob(
  ['../../**/*.tsx', '!../../**/*.test.tsx', '!../../**/testing/**'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

/** The product's own name is the same in every language. */
const names = /^(Escucho|Facebook|Google)$/;
const letters = /\p{L}{2,}/u;

/** Returns the hard-coded texts in a component's source. */
export function hardCoded(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
  const between = [...code.matchAll(/(?<![=-])>([^<>{}]*)<(?=\/?[A-Za-z>])/g)].map((match) => match[1] ?? '');
  const attributes = [...code.matchAll(/\b(?:aria-label|title|placeholder|alt|label|text)="([^"]*)"/g)].map(
    (match) => match[1] ?? '',
  );
  return (
    [...between, ...attributes]
      .filter((text) => !/[;=]|\(\s*$|^\s*[,:)]|^\(\s*\w+: |\breturn\s*$/.test(text))
      .map((text) => text.trim())
      // A text's name, e.g. pages.libraryTitle, is handed to a component that looks it up.
      .filter((text) => letters.test(text) && !names.test(text) && !/^\w+\.\w+$/.test(text))
  );
}

it.each([
  ['<p>Hello there</p>', ['Hello there']],
  ['<p>{t("x")} and more</p>', []],
  ['<b>One <i>two</i></b>', ['One', 'two']],
  ['<img alt="A cat" />', ['A cat']],
  ['<Field label="Email" />', ['Email']],
  ['<Page title="pages.libraryTitle" />', []],
  ['<p>{t("x")}</p>', []],
  ['const f = (a: number) => a > 3 && b < 4;', []],
  ['function Menu<T>(props: MenuProps<T>) {}', []],
  ['function useForm<T>(\n  schema: Schema<T>,\n) {}', []],
])('finds text in %s', (source, found) => {
  expect(hardCoded(source)).toEqual(found);
});

it('no component has hard-coded text', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(40);
  const found = Object.entries(sources).flatMap(([file, source]) =>
    hardCoded(source).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});
