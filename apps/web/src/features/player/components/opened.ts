import { type ComponentType, lazy } from 'react';
import { needWords } from '../../../shared/i18n/i18n.ts';

/** A part of the player that is seen once it is opened: its code and its words come then. In: how to load its module. */
export const opened = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    const [module] = await Promise.all([load(), needWords('listening')]);
    return module;
  });
