import { en, isMessageKey } from '@escucho/contracts';
import { es } from '@escucho/contracts/messages/es';
import { negotiate } from '@fastify/accept-negotiator';

const words = { en, es };

/** A language the product speaks. */
export type Language = keyof typeof words;

/** The reader's language. In: the Accept-Language header. Out: the first spoken one that matches, else English. */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  const primary = acceptLanguage?.replace(/\b([a-z]{2})-[\w-]+/gi, '$1').toLowerCase();
  return negotiate(primary ?? '', ['en', 'es']) === 'es' ? 'es' : 'en';
}

/** The words of an error code or field fault in a language; an unknown key gives those of `field_invalid`. */
export function messageFor(language: Language, key: string): string {
  return words[language][isMessageKey(key) ? key : 'field_invalid'];
}
