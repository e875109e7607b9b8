import { en, isMessageKey } from '@escucho/contracts';
import { es } from '@escucho/contracts/messages/es';
import { negotiate } from '@fastify/accept-negotiator';

const messages = { en, es };

/** A language of the interface. */
export type Language = keyof typeof messages;

/** Returns the best supported language of an Accept-Language header, else English. */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  const primary = acceptLanguage?.replace(/\b([a-z]{2})-[\w-]+/gi, '$1').toLowerCase();
  return negotiate(primary ?? '', ['en', 'es']) === 'es' ? 'es' : 'en';
}

/** Returns the language that the web app has stored in a cookie; undefined if there is none. */
export function getCookieLanguage(cookie: string | undefined): Language | undefined {
  const stored = /(?:^|;\s*)language=(en|es)(?:;|$)/.exec(cookie ?? '')?.[1];
  return stored === 'en' || stored === 'es' ? stored : undefined;
}

/** Returns the message of an error code or field error; that of `field_invalid` for an unknown key. */
export function messageFor(language: Language, key: string): string {
  return messages[language][isMessageKey(key) ? key : 'field_invalid'];
}
