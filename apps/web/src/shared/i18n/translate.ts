import { once } from '../once.ts';
import type { Texts } from './flatten.ts';
import type { app } from './words/en/app.ts';
import type { corner } from './words/en/corner.ts';
import type { listening } from './words/en/listening.ts';
import type { more } from './words/en/more.ts';
import type { operators } from './words/en/operators.ts';
import type { purchase } from './words/en/purchase.ts';
import type { reading } from './words/en/reading.ts';
import type { settings } from './words/en/settings.ts';

type Words = typeof app &
  typeof more &
  typeof corner &
  typeof listening &
  typeof purchase &
  typeof reading &
  typeof settings &
  typeof operators;
type Spaced = { [Space in keyof Words & string]: `${Space}.${keyof Words[Space] & string}` }[keyof Words &
  string];
type Prefixed<K extends string> = K extends `message.${infer Bare}` ? Bare : K;

/** A text's name: `player.play`; the contracts' codes and field texts go by their own bare names. */
export type Key = Prefixed<Spaced>;
/** A text with plural forms, named without `_one` and `_other`. */
export type CountKey = Key extends infer K ? (K extends `${infer Base}_other` ? Base : never) : never;
export type Params = Record<string, string | number>;

export interface T {
  (key: Key, params?: Params): string;
  /** A text for a number of things: the plural form of the language is chosen and `{n}` filled in. */
  count: (key: CountKey, n: number, params?: Params) => string;
  /** Whether a text is the name of one that is loaded, e.g. a message that a form's schema gave. */
  has: (text: string) => text is Key;
}

const fill = (text: string, params: Params): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));

/** The function that finds words. In: language and its texts. Out: `t`; a text that is not loaded answers its key. */
export function translator(language: string, texts: Texts): T {
  const plural = once(() => new Intl.PluralRules(language));
  const number = once(() => new Intl.NumberFormat(language));
  const find = (key: string, params: Params = {}) => fill(texts.get(key) ?? key, params);
  const count = (key: CountKey, n: number, params: Params = {}) => {
    const form = plural().select(n) === 'one' ? 'one' : 'other';
    return find(`${key}_${form}`, { ...params, n: number().format(n) });
  };
  const has = (text: string): text is Key => texts.has(text);
  return Object.assign((key: Key, params?: Params) => find(key, params), { count, has });
}
