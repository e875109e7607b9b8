import type { ComponentType } from 'react';
import { needWords } from '#shared/i18n/i18n.ts';
import { part } from '#shared/part.ts';

/** Returns a dialog with a form, whose code and messages are loaded when it is first opened. */
export const lazyDialog = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  part(async () => {
    const [component] = await Promise.all([load(), needWords('corner'), needWords('more')]);
    return component;
  });
