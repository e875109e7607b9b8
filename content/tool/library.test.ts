import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkLibrary } from './narrate-check.ts';

it('holds a whole narrated piece for every text, in playlists that name them, within its size', async () => {
  const { faults, pieces } = await checkLibrary(fileURLToPath(new URL('..', import.meta.url)));
  expect(faults).toEqual([]);
  expect(pieces).toBeGreaterThan(0);
});
