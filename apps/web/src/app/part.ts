import { type ComponentType, lazy } from 'react';
import { needWords, type WordSet } from '../shared/i18n/i18n.ts';

const loaders: (() => Promise<unknown>)[] = [];

/** A part of the app whose code is fetched when it is first drawn, or before. In: how to load its component. Out: the component. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  loaders.push(load);
  return lazy(async () => ({ default: await load() }));
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

/** Fetches the code of every part, so that none has to be waited for. Call it when the browser has nothing better to do. */
export function prepareAllParts(): void {
  for (const load of loaders) load().catch(() => undefined);
}
