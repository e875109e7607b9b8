import { type ComponentType, lazy } from 'react';
import { needWords, type WordSet } from './i18n/i18n.ts';

const loaders: (() => Promise<unknown>)[] = [];
let isPreparing = false;

const prepare = (load: () => Promise<unknown>): void => void load().catch(() => undefined);

/** Code that is fetched when it is first wanted, or before. In: how to load it. Out: the same. */
export function later<Code>(load: () => Promise<Code>): () => Promise<Code> {
  // Code that came late brings parts of its own.
  if (isPreparing) prepare(load);
  else loaders.push(load);
  return load;
}

/** A part of the app whose code is fetched when it is first drawn, or before. In: how to load its component. Out: the component. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loadLater = later(load);
  return lazy(async () => ({ default: await loadLater() }));
}

/** A part that speaks with words that are not there from the start: those of the reader's corner, unless another set is named. */
export const cornerPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  words: WordSet = 'corner',
) =>
  part(async () => {
    const [component] = await Promise.all([load(), needWords(words)]);
    return component;
  });

/** Fetches the code of every part, and of the parts in them, so that none has to be waited for. Call it when the browser has nothing better to do. */
export function prepareAllParts(): void {
  isPreparing = true;
  for (const load of loaders.splice(0)) prepare(load);
}
