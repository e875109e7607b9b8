import * as z from 'zod/mini';
import { create } from 'zustand';
import { persistStore } from './storage.ts';

/** The typefaces of the text: serif, or one with letters that are easy to distinguish. */
export const typefaces = ['book', 'clear'] as const;
export type Typeface = (typeof typefaces)[number];

/** The range of text sizes, in percent. */
export const textSizes = { min: 80, max: 200, step: 10 } as const;

interface ReadingPreferences {
  size: number;
  face: Typeface;
  /** Whether the translation is shown below each sentence. */
  hasTranslation: boolean;
  /** Whether the full player shows the text instead of the cover, in portrait. */
  isReading: boolean;
  /** Whether "next" and "previous" on the lock screen go by sentences. */
  hasSentenceKeys: boolean;
}

const defaults: ReadingPreferences = {
  size: 100,
  face: 'book',
  hasTranslation: false,
  isReading: false,
  hasSentenceKeys: false,
};

const schema = z.object({
  size: z.catch(z.number().check(z.minimum(textSizes.min), z.maximum(textSizes.max)), defaults.size),
  face: z.catch(z.enum(typefaces), defaults.face),
  hasTranslation: z.catch(z.boolean(), defaults.hasTranslation),
  isReading: z.catch(z.boolean(), defaults.isReading),
  hasSentenceKeys: z.catch(z.boolean(), defaults.hasSentenceKeys),
});

/** The user's preferences for reading along, persisted as reading-storage (PLAY-08). */
export const useReadingPreferences = create<ReadingPreferences>()(
  persistStore(
    {
      name: 'reading-storage',
      version: 1,
      partialize: (preferences) => preferences,
      isShared: true,
      parse: (stored) => schema.safeParse(stored).data ?? {},
    },
    () => defaults,
  ),
);
