import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { startFeedTest } from '../testing/feed-server.ts';
import { createFeed, createPicture, type Episode, readUniqueRecording } from '../testing/recordings.ts';

const { db, responses, requests, toUrl, resetServer, importFeed } = await startFeedTest();

/** Imports a feed with one episode. Returns the result and the requests for files. */
async function importEpisode(
  episode: Episode = {},
  metadata: Parameters<typeof importFeed>[0] = {},
): Promise<{ failed: string[]; added: number; downloads: string[] }> {
  requests.length = 0;
  responses.set('/feed', createFeed([{ guid: 'one', audio: toUrl('/one.mp3'), ...episode }]));
  const { added, failed } = await importFeed(metadata);
  const downloads = requests.filter((path) => path !== '/feed');
  return { failed: failed.map(({ reason }) => reason), added: added.length, downloads };
}

beforeEach(async () => {
  await resetServer();
  responses.set('/one.mp3', 'This is no audio.');
});

describe('[CAT-10] an episode that failed', () => {
  const reason = expect.stringMatching(/no audio that can be read/);

  it('is reported each time, and not downloaded again within a day', async () => {
    const first = await importEpisode();
    expect(first).toEqual({ failed: [reason], added: 0, downloads: ['/one.mp3'] });
    expect(await importEpisode()).toEqual({ ...first, downloads: [] });
    await sql`update failed_recording set failed_at = failed_at - interval '23 hours'`.execute(db);
    expect(await importEpisode()).toEqual({ ...first, downloads: [] });
    await sql`update failed_recording set failed_at = failed_at - interval '1 hour'`.execute(db);
    expect(await importEpisode()).toEqual(first);
    expect(await importEpisode()).toEqual({ ...first, downloads: [] });
  });

  it.each<[string, Episode, Parameters<typeof importFeed>[0]]>([
    ['its address', { audio: '/two.mp3' }, {}],
    ['its description', { description: 'With new audio.' }, {}],
    ['an option', {}, { metadata: { level: 'A2' } }],
  ])('is imported at once when %s changes', async (_name, { audio, ...changes }, options) => {
    await importEpisode();
    responses.set('/one.mp3', await readUniqueRecording('one'));
    const episode = { ...changes, ...(audio !== undefined && { audio: toUrl(audio) }) };
    expect(await importEpisode(episode, options)).toMatchObject({ failed: [], added: 1 });
    expect(await importEpisode(episode, options)).toMatchObject({ failed: [], added: 0, downloads: [] });
  });

  it('is tried each time while its server does not respond', async () => {
    responses.set('/one.mp3', (_, response) => response.writeHead(503).end());
    expect(await importEpisode()).toMatchObject({ failed: [expect.stringMatching(/answers 503/)] });
    responses.set('/one.mp3', await readUniqueRecording('one'));
    expect(await importEpisode()).toMatchObject({ failed: [], added: 1 });
  });

  it('is not downloaded without its picture', async () => {
    const image = toUrl('/cover.png');
    expect(await importEpisode({ image })).toMatchObject({ downloads: ['/cover.png'] });
    responses.set('/one.mp3', await readUniqueRecording('one'));
    responses.set('/cover.png', await createPicture());
    expect(await importEpisode({ image })).toMatchObject({ failed: [], added: 1 });
  });
});
