import * as z from 'zod/mini';
import { createPersistedStore } from './storage.ts';

/** The typefaces of the text: serif, or one with letters that are easy to distinguish. */
export const typefaces = ['book', 'clear'] as const;

/** The range of text sizes, in percent. */
export const textSizes = { min: 80, max: 200, step: 10 } as const;

const schema = z.object({
  size: z.catch(z.number().check(z.minimum(textSizes.min), z.maximum(textSizes.max)), 100),
  face: z.catch(z.enum(typefaces), 'book'),
  /** Whether the translation is shown below each sentence. */
  hasTranslation: z.catch(z.boolean(), false),
  /** Whether the full player shows the text instead of the cover, in portrait. */
  isReading: z.catch(z.boolean(), false),
  /** Whether "next" and "previous" on the lock screen go by sentences. */
  hasSentenceKeys: z.catch(z.boolean(), false),
});

/** The user's preferences for reading along, persisted as reading-storage (PLAY-08). */
export const useReadingPreferences = createPersistedStore({
  name: 'reading-storage',
  version: 1,
  initial: schema.parse({}),
  isShared: true,
  parse: (stored) => schema.safeParse(stored).data ?? {},
});
