import type { PagePreload, PreloadPlan } from '../src/boot/boot.ts';

/** A file of the bundler's output. */
interface BuiltFile {
  type: 'chunk' | 'asset';
  fileName: string;
  facadeModuleId?: string | null;
  imports?: readonly string[];
  isEntry?: boolean;
}

export type Bundle = Readonly<Record<string, BuiltFile>>;

/** What a page preloads, by source file. */
interface PageSources {
  modules: readonly string[];
  namespaces?: readonly string[];
  calls?: readonly string[];
}

/** The preload plan by source files instead of built files. */
export interface PreloadSources {
  pages: Record<string, PageSources>;
  auth: PageSources;
  /** Message files by language and namespace. */
  messages: Record<string, Record<string, string>>;
  config: string;
}

const findChunks = (bundle: Bundle) => Object.values(bundle).filter((file) => file.type === 'chunk');

/** Returns a chunk's file and those of its static imports, transitively. */
function collectImports(bundle: Bundle, fileName: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || found.has(fileName)) return found;
  found.add(fileName);
  for (const imported of chunk.imports ?? []) collectImports(bundle, imported, found);
  return found;
}

const mapValues = <From, To>(from: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)]));

/** Returns the files that every page loads, the entry first. */
export function findEntryFiles(bundle: Bundle): string[] {
  const entry = findChunks(bundle).find((chunk) => chunk.isEntry);
  return entry ? [...collectImports(bundle, entry.fileName)] : [];
}

/**
 * Returns the plan for the boot script.
 *
 * @throws when a source file has no chunk of its own
 */
export function buildPreloadPlan(
  { pages, auth, messages, config }: PreloadSources,
  bundle: Bundle,
): PreloadPlan {
  const chunks = findChunks(bundle);
  const entry = new Set(findEntryFiles(bundle));
  const toFiles = (modules: readonly string[]) => {
    const files = modules.map((module) => {
      const chunk = chunks.find((file) => file.facadeModuleId?.endsWith(module));
      if (!chunk) throw new Error(`No chunk for ${module}: it is not loaded lazily, or has moved.`);
      return collectImports(bundle, chunk.fileName);
    });
    return [...new Set(files.flatMap((chunkFiles) => [...chunkFiles]))]
      .filter((file) => !entry.has(file))
      .map((file) => `/${file}`);
  };
  const toPreload = ({ modules, namespaces = [], calls = [] }: PageSources): PagePreload => ({
    files: toFiles(modules),
    namespaces,
    calls,
  });
  return {
    pages: mapValues(pages, toPreload),
    auth: toPreload(auth),
    messages: mapValues(messages, (namespaces) => mapValues(namespaces, (module) => toFiles([module]))),
    config,
  };
}
