import { api, type ResponseBody } from '@escucho/contracts';
import * as z from 'zod/mini';
import { readStorageJson, removeFromStorage, writeStorage } from '#shared/storage.ts';
import { isGood, rememberedKey } from './model/remembered.ts';

const kept = z.object({ reader: z.string(), at: z.number(), answer: api.catalogue.discover.response });

type Discover = ResponseBody<typeof api.catalogue.discover>;

/** Discover as a reader last saw it, to be shown until today's has come. In: the reader's id, now in milliseconds. Out: it, or undefined. */
export function rememberedDiscover(reader: string, now: number): Discover | undefined {
  const { data } = kept.safeParse(readStorageJson(rememberedKey));
  return data && isGood(data, reader, now) ? data.answer : undefined;
}

/** Keeps Discover for the reader's next visit. */
export const rememberDiscover = (reader: string, answer: Discover, now: number): void =>
  writeStorage(rememberedKey, JSON.stringify({ reader, at: now, answer }));

/** Whoever sits here next sees nothing of it. */
export const forgetDiscover = (): void => removeFromStorage(rememberedKey);
