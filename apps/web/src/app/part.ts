import { type ComponentType, lazy } from 'react';
import { needWords } from '../shared/i18n/i18n.ts';

const loaders: (() => Promise<unknown>)[] = [];

/** A part of the app whose code is fetched when it is first drawn, or before. In: how to load its component. Out: the component. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  loaders.push(load);
  return lazy(async () => ({ default: await load() }));
}

/** A part that speaks with the words of the reader's corner. */
export const cornerPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  part(async () => {
    const [component] = await Promise.all([load(), needWords('corner')]);
    return component;
  });

/** Fetches the code of every part, so that none has to be waited for. Call it when the browser has nothing better to do. */
export function prepareAllParts(): void {
  for (const load of loaders) load().catch(() => undefined);
}
