import { type ComponentType, createElement, lazy } from 'react';
import { loadNamespace, type Namespace, prefetchMessages } from './i18n/i18n.ts';

const pending: (() => Promise<unknown>)[] = [];
let isPrefetching = false;

const prefetch = (load: () => Promise<unknown>): void => void load().catch(() => undefined);

/** Registers a dynamic import for `prefetchLazyImports` and returns it unchanged. */
export function lazyImport<Code>(load: () => Promise<Code>): () => Promise<Code> {
  // A chunk that loads after the prefetch may register imports of its own.
  if (isPrefetching) prefetch(load);
  else pending.push(load);
  return load;
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
  return Object.assign((props: Props) => createElement(Loaded, props), { preload: () => prefetch(loadAll) });
}

/**
 * Fetches all registered imports, those they register in turn, and the messages of every language: after an update of the
 * server, a page that stays open could no longer fetch them. Call it once the browser is idle.
 */
export function prefetchLazyImports(): void {
  isPrefetching = true;
  for (const load of pending.splice(0)) prefetch(load);
  prefetch(prefetchMessages);
}
