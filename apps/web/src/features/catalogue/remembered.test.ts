import { expect, it } from 'vitest';
import { writeStorage } from '#shared/storage.ts';
import { forgetDiscover, rememberDiscover, rememberedDiscover } from './remembered.ts';

const discover = { continueListening: [], rows: [] };
const hour = 60 * 60 * 1000;

it.each([
  ['is shown to the same reader until today’s has come', 'ana', 2 * hour, discover],
  ['is not shown once its pictures may have ended', 'ana', 25 * hour, undefined],
  ['is nobody else’s', 'luis', 1, undefined],
])('[CAT-02] what Discover showed last %s', (_, reader, later, shown) => {
  rememberDiscover('ana', discover, 1000);
  expect(rememberedDiscover(reader, 1000 + later)).toEqual(shown);
});

it('is forgotten with its reader', () => {
  rememberDiscover('ana', discover, 0);
  forgetDiscover();
  expect(rememberedDiscover('ana', 1)).toBeUndefined();
});

it.each(['{', '{"reader":"ana","at":0,"answer":{"rows":"many"}}'])(
  'what an older version left (%s) counts as nothing',
  (text) => {
    writeStorage('discover-storage', text);
    expect(rememberedDiscover('ana', 1)).toBeUndefined();
  },
);
