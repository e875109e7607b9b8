import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startFeedTest } from '../testing/feed-server.ts';
import { createFeed, readUniqueRecording } from '../testing/recordings.ts';
import type { ImportRequest } from './importer.ts';

const feedTest = await startFeedTest();
const { db, responses, toUrl, importFeed, administer } = feedTest;

async function unpublish(title: string): Promise<void> {
  const { slug } = await db
    .selectFrom('article')
    .select('slug')
    .where('title', '=', title)
    .executeTakeFirstOrThrow();
  await administer((admin) => admin.unpublish(slug));
}

beforeEach(async () => {
  await feedTest.resetServer();
  await db.deleteFrom('withdrawn_article').execute();
});

describe('[CAT-10] the announcement of imported articles', () => {
  /** Imports two episodes, of which the first is unpublished before the second is downloaded. */
  async function importEpisodes(audioOfSecond: Buffer | undefined) {
    const titles = ['One', 'Two'];
    const episodes = titles.map((title) => ({ title, guid: title, audio: toUrl(`/${title}.mp3`) }));
    responses.set('/feed', createFeed(episodes));
    responses.set('/One.mp3', await readUniqueRecording('one'));
    responses.set('/Two.mp3', async (_, response) => {
      await vi.waitFor(() => unpublish('One'), 10_000);
      response.writeHead(audioOfSecond ? 200 : 404).end(audioOfSecond);
    });
    const announce = vi.fn<NonNullable<ImportRequest['announce']>>(async () => {});
    await importFeed({ announce });
    return announce.mock.calls.map(([articles]) => articles.map(({ title }) => title));
  }

  it('leaves out an article that is unpublished while the import runs', async () => {
    expect(await importEpisodes(await readUniqueRecording('two'))).toEqual([['Two']]);
    const announce = vi.fn<NonNullable<ImportRequest['announce']>>();
    expect(await importFeed({ announce })).toMatchObject({ unchanged: 1, withdrawn: 1 });
    expect(announce).not.toHaveBeenCalled();
  });

  it('is not made when all new articles are unpublished', async () => {
    expect(await importEpisodes(undefined)).toEqual([]);
  });
});
