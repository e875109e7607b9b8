import type { ComponentType } from 'react';
import { loadNamespace } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';

/** Returns a dialog with a form, whose code and messages are loaded when it is first opened. */
export const lazyDialog = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazyComponent(async () => {
    const [component] = await Promise.all([load(), loadNamespace('library'), loadNamespace('auth')]);
    return component;
  });
