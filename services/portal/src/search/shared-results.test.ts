import { api } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { call, createUser, db } = await startPortal();
const subscriber = await createUser({ subscribed: true });
const free = await createUser();

const search = (token: string, q: string) => call(api.catalogue.search, token, { query: { q, limit: 100 } });

describe('a cached search result', () => {
  it('[PLAY-04] is signed for subscribers only and carries each user’s own progress', async () => {
    const [found] = (await search(subscriber.token, 'a')).docs;
    if (!found) throw new Error('The test library has no article with an a.');
    const track = found.track._id;
    const entry = { device: crypto.randomUUID(), sequence: 1, track, position: 7, cause: 'pause' } as const;
    await call(api.listening.saveProgress, subscriber.token, { body: entry });
    const [own, other] = await Promise.all([search(subscriber.token, 'a'), search(free.token, 'a')]);
    expect(own.docs[0]?.track).toMatchObject({ _id: track, progress: 7, url: expect.any(String) });
    expect(other.docs[0]?.track).toMatchObject({ _id: track, progress: 0, url: null });
    for (const doc of other.docs) expect(doc.track.url).toBeNull();
  });

  it('[CAT-10] omits removed articles at once, and counts them no more', async () => {
    const before = await search(free.token, 'a');
    const [remaining, removed] = before.docs.map(({ track }) => track._id);
    if (!removed || !remaining) throw new Error('The test library has fewer than two articles with an a.');
    await db.deleteFrom('playlist_item').where('article_id', '=', removed).execute();
    await db.deleteFrom('article').where('id', '=', removed).execute();
    const after = await search(free.token, 'a');
    expect(after.docs.map(({ track }) => track._id)).not.toContain(removed);
    expect(after.docs.map(({ track }) => track._id)).toContain(remaining);
    expect(after.totalDocs).toBe(before.totalDocs - 1);
  });
});
