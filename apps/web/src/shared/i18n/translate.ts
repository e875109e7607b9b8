import { memoize } from '../memoize.ts';
import type { messages as app } from './messages/en/app.ts';
import type { messages as articles } from './messages/en/articles.ts';
import type { messages as auth } from './messages/en/auth.ts';
import type { messages as library } from './messages/en/library.ts';
import type { messages as operators } from './messages/en/operators.ts';
import type { messages as player } from './messages/en/player.ts';
import type { messages as settings } from './messages/en/settings.ts';
import type { messages as subscription } from './messages/en/subscription.ts';

type AllMessages = typeof app &
  typeof articles &
  typeof auth &
  typeof library &
  typeof operators &
  typeof player &
  typeof settings &
  typeof subscription;
type GroupedKey = {
  [Group in keyof AllMessages & string]: `${Group}.${keyof AllMessages[Group] & string}`;
}[keyof AllMessages & string];
type WithoutMessageGroup<K extends string> = K extends `message.${infer Bare}` ? Bare : K;

/** The messages of a namespace in another language: the same groups with the same keys. */
export type Translation<Namespace> = {
  [Group in keyof Namespace]: Readonly<Record<keyof Namespace[Group], string>>;
};

/** Messages by key. */
export type Messages = ReadonlyMap<string, string>;

/** Flattens groups of messages: `{ player: { play: 'Play' } }` gives `player.play`; those of the group `message` go by their bare key. */
export function flattenMessages(groups: Record<string, Record<string, string>>): Messages {
  return new Map(
    Object.entries(groups).flatMap(([group, messages]) =>
      Object.entries(messages).map(
        ([key, text]) => [group === 'message' ? key : `${group}.${key}`, text] as const,
      ),
    ),
  );
}

/** A text's name: `player.play`; the contracts' codes and field texts go by their own bare names. */
export type MessageKey = WithoutMessageGroup<GroupedKey>;
/** A text with plural forms, named without `_one` and `_other`. */
export type PluralKey = MessageKey extends infer K ? (K extends `${infer Base}_other` ? Base : never) : never;
export type MessageParams = Record<string, string | number>;

export interface T {
  (key: MessageKey, params?: MessageParams): string;
  /** A text for a number of things: the plural form of the language is chosen and `{n}` filled in. */
  count: (key: PluralKey, n: number, params?: MessageParams) => string;
  /** Whether a text is the name of one that is loaded, e.g. a message that a form's schema gave. */
  has: (text: string) => text is MessageKey;
}

const fill = (text: string, params: MessageParams): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));

/** The function that finds words. In: language and its texts. Out: `t`; a text that is not loaded answers its key. */
export function createT(language: string, texts: Messages): T {
  const plural = memoize(() => new Intl.PluralRules(language));
  const number = memoize(() => new Intl.NumberFormat(language));
  const find = (key: string, params: MessageParams = {}) => fill(texts.get(key) ?? key, params);
  const count = (key: PluralKey, n: number, params: MessageParams = {}) => {
    const form = plural().select(n) === 'one' ? 'one' : 'other';
    return find(`${key}_${form}`, { ...params, n: number().format(n) });
  };
  const has = (text: string): text is MessageKey => texts.has(text);
  return Object.assign((key: MessageKey, params?: MessageParams) => find(key, params), { count, has });
}
