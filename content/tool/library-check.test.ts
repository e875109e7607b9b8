import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkLibrary } from './library-check.ts';

it('has narration and pictures for every text, and playlists that name only known articles', async () => {
  const { errors, articles } = await checkLibrary(fileURLToPath(new URL('..', import.meta.url)));
  expect(errors).toEqual([]);
  expect(articles).toBeGreaterThan(0);
});
