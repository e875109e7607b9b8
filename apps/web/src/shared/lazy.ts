import { type ComponentType, createElement, lazy } from 'react';
import { loadNamespace, type Namespace, prefetchMessages } from './i18n/i18n.ts';
import { createImporter } from './network.ts';

/** As many requests as a browser sends to a server at a time by HTTP/1.1. */
const MAX_PREFETCHES = 6;

const queue: (() => Promise<unknown>)[] = [prefetchMessages];
let canPrefetch = false;
let prefetches = 0;

/** Fetches what is in the queue, until a fetch fails. */
async function prefetchQueue(): Promise<void> {
  if (!canPrefetch || prefetches === MAX_PREFETCHES) return;
  prefetches += 1;
  try {
    while (canPrefetch && queue.length > 0) await queue.shift()?.();
  } catch {
    canPrefetch = false;
    addEventListener('online', prefetchLazyImports, { once: true });
  }
  prefetches -= 1;
}

/** Registers a dynamic import for `prefetchLazyImports`. The returned function imports, and rejects without a network. */
export function lazyImport<Code>(load: () => Promise<Code>): () => Promise<Code> {
  const loadCode = createImporter(load);
  queue.push(loadCode);
  // A chunk that loads after the prefetch may register imports of its own.
  void prefetchQueue();
  return loadCode;
}

/** After a failure, a component is not loaded again for so long: what has shown the error must not cause the next one. */
const RETRY_AFTER_MS = 300;

/**
 * Returns a component whose code is fetched when it is first rendered, or before, by `preload` or with all others. Throws
 * where it cannot be loaded; the next time it is rendered, it is fetched again.
 *
 * @param load imports the component
 * @param namespaces messages that are loaded along with it
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  ...namespaces: Namespace[]
) {
  const loadAll = lazyImport(async () => {
    const [component] = await Promise.all([load(), ...namespaces.map(loadNamespace)]);
    return component;
  });
  // React keeps the error of a lazy component for good.
  const create = () =>
    lazy(async () => {
      try {
        return { default: await loadAll() };
      } catch (error) {
        setTimeout(() => {
          Loaded = create();
        }, RETRY_AFTER_MS);
        throw error;
      }
    });
  let Loaded = create();
  const preload = (): void => void loadAll().catch(() => undefined);
  return Object.assign((props: Props) => createElement(Loaded, props), { preload });
}

/**
 * Fetches all registered imports, those they register in turn, and the messages of every language: after an update of the
 * server, a page that stays open could no longer fetch them. Call it once the browser is idle. After a failure, the rest is
 * fetched once the browser is online again.
 */
export function prefetchLazyImports(): void {
  canPrefetch = true;
  for (let started = 0; started < MAX_PREFETCHES; started += 1) void prefetchQueue();
}
