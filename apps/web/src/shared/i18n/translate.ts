import type { Language } from '../choices.ts';
import { createNumberFormat, memoize } from './format.ts';

/** The files of messages, in English. */
interface MessageFiles {
  app: typeof import('./messages/en/app.ts').messages;
  articles: typeof import('./messages/en/articles.ts').messages;
  auth: typeof import('./messages/en/auth.ts').messages;
  legal: typeof import('./messages/en/legal.ts').messages;
  library: typeof import('./messages/en/library.ts').messages;
  operators: typeof import('./messages/en/operators.ts').messages;
  player: typeof import('./messages/en/player.ts').messages;
  security: typeof import('./messages/en/security.ts').messages;
  settings: typeof import('./messages/en/settings.ts').messages;
  subscription: typeof import('./messages/en/subscription.ts').messages;
  welcome: typeof import('./messages/en/welcome.ts').messages;
}
/** A file of messages. `app` is loaded from the start, the others with the pages and components that need them. */
export type Namespace = keyof MessageFiles;
type KeyOf<Groups> = {
  [Group in keyof Groups & string]: `${Group}.${keyof Groups[Group] & string}`;
}[keyof Groups & string];
type GroupedKey = { [Name in Namespace]: KeyOf<MessageFiles[Name]> }[Namespace];
type WithoutMessageGroup<K extends string> = K extends `message.${infer Bare}` ? Bare : K;

/** The messages of a file in another language: the same groups with the same keys. */
export type Translation<Groups> = {
  [Group in keyof Groups]: Readonly<Record<keyof Groups[Group], string>>;
};

/** Messages by key. */
export type Messages = ReadonlyMap<string, string>;

/** Flattens groups of messages: `{ player: { play: 'Play' } }` gives `player.play`; the group `message` has no prefix. */
export function flattenMessages(groups: Record<string, Record<string, string>>): Messages {
  return new Map(
    Object.entries(groups).flatMap(([group, messages]) =>
      Object.entries(messages).map(
        ([key, text]) => [group === 'message' ? key : `${group}.${key}`, text] as const,
      ),
    ),
  );
}

/** The key of a message, e.g. `player.play`; error codes and field messages of the contracts have no prefix. */
export type MessageKey = WithoutMessageGroup<GroupedKey>;
/** The key of a message with plural forms, without `_one` and `_other`. */
export type PluralKey = MessageKey extends infer K ? (K extends `${infer Base}_other` ? Base : never) : never;
export type MessageParams = Record<string, string | number>;

export interface T {
  (key: MessageKey, params?: MessageParams): string;
  /** Returns the plural form for a number, which replaces `{n}`. */
  count: (key: PluralKey, n: number, params?: MessageParams) => string;
  /** Returns whether a text is the key of a loaded message, e.g. the message of a schema's issue. */
  has: (text: string) => text is MessageKey;
}

const interpolate = (text: string, params: MessageParams): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));

/** Creates the translation function of a language; it returns the key of a message that is not loaded. */
export function createT(language: Language, messages: Messages): T {
  const plural = memoize(() => new Intl.PluralRules(language));
  const number = createNumberFormat(language);
  const find = (key: string, params: MessageParams = {}) => interpolate(messages.get(key) ?? key, params);
  const count = (key: PluralKey, n: number, params: MessageParams = {}) => {
    const form = plural().select(n) === 'one' ? 'one' : 'other';
    return find(`${key}_${form}`, { ...params, n: number(n) });
  };
  const has = (text: string): text is MessageKey => messages.has(text);
  return Object.assign((key: MessageKey, params?: MessageParams) => find(key, params), { count, has });
}
