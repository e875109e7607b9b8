import type { Early, Plan } from '../src/boot/plan.ts';

/** What a plan reads of a built file; the bundler's own fit. */
interface BuiltFile {
  type: 'chunk' | 'asset';
  fileName: string;
  facadeModuleId?: string | null;
  imports?: readonly string[];
  isEntry?: boolean;
}

export type Bundle = Readonly<Record<string, BuiltFile>>;

/** A page's early needs, by source file. */
export interface Page {
  modules: readonly string[];
  words?: readonly string[];
  calls?: readonly string[];
}

export interface Pages {
  pages: Record<string, Page>;
  auth: Page;
  words: Record<string, Record<string, string>>;
  config: string;
}

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((file) => file.type === 'chunk');

/** The files of chunks that a chunk needs before it can run, itself included. */
function closure(bundle: Bundle, fileName: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || found.has(fileName)) return found;
  found.add(fileName);
  for (const needed of chunk.imports ?? []) closure(bundle, needed, found);
  return found;
}

const mapValues = <From, To>(from: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)]));

/** The files that every page loads, the first of them first. */
export function entryFiles(bundle: Bundle): string[] {
  const entry = chunksOf(bundle).find((chunk) => chunk.isEntry);
  return entry ? [...closure(bundle, entry.fileName)] : [];
}

/** What the boot script must know. In: the pages by source file, the built bundle. Throws when a source file has no chunk. */
export function planOf({ pages, auth, words, config }: Pages, bundle: Bundle): Plan {
  const chunks = chunksOf(bundle);
  const base = new Set(entryFiles(bundle));
  const filesOf = (modules: readonly string[]) => {
    const wanted = modules.map((module) => {
      const chunk = chunks.find((one) => one.facadeModuleId?.endsWith(module));
      if (!chunk) throw new Error(`No chunk for ${module}: it is not loaded lazily, or has moved.`);
      return closure(bundle, chunk.fileName);
    });
    return [...new Set(wanted.flatMap((files) => [...files]))]
      .filter((file) => !base.has(file))
      .map((file) => `/${file}`);
  };
  const early = ({ modules, words = [], calls = [] }: Page): Early => ({
    files: filesOf(modules),
    words,
    calls,
  });
  return {
    pages: mapValues(pages, early),
    auth: early(auth),
    words: mapValues(words, (sets) => mapValues(sets, (module) => filesOf([module]))),
    config,
  };
}
