import { type ComponentType, lazy } from 'react';
import { needWords } from '#shared/i18n/i18n.ts';
import { later } from '#shared/part.ts';

/** A dialog that holds a form: its code and its words come when it is first opened. In: how to load it. Out: the component. */
export const dialog = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(
    later(async () => {
      const [loaded] = await Promise.all([load(), needWords('corner'), needWords('more')]);
      return loaded;
    }),
  );
