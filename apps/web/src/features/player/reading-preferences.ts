import * as z from 'zod/mini';
import { create } from 'zustand';
import { persistStore } from '#shared/storage.ts';

/** Letters for the text: those of a book, or such as are easy to tell apart. */
export const typefaces = ['book', 'clear'] as const;
export type Typeface = (typeof typefaces)[number];

/** The text's size in percent. */
export const textSizes = { min: 80, max: 200, step: 10 } as const;

interface Reading {
  size: number;
  face: Typeface;
  /** Whether each sentence's translation stands below it. */
  hasTranslation: boolean;
  /** The lock screen's buttons for the track before and after go by sentences. */
  hasSentenceKeys: boolean;
}

const usual: Reading = { size: 100, face: 'book', hasTranslation: false, hasSentenceKeys: false };

const stored = z.object({
  size: z.catch(z.number().check(z.minimum(textSizes.min), z.maximum(textSizes.max)), usual.size),
  face: z.catch(z.enum(typefaces), usual.face),
  hasTranslation: z.catch(z.boolean(), usual.hasTranslation),
  hasSentenceKeys: z.catch(z.boolean(), usual.hasSentenceKeys),
});

/** reading-storage: how the reader likes the text that is read along (PLAY-08). */
export const useReadingPreferences = create<Reading>()(
  persistStore(
    {
      name: 'reading-storage',
      version: 1,
      partialize: ({ size, face, hasTranslation, hasSentenceKeys }) => ({
        size,
        face,
        hasTranslation,
        hasSentenceKeys,
      }),
      parse: (value) => stored.safeParse(value).data ?? {},
    },
    () => usual,
  ),
);
