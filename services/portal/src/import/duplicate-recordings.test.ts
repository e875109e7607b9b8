import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { startFeedTest } from '../testing/feed-server.ts';
import { copyRecording, createFeed, type Episode, write } from '../testing/recordings.ts';

const importTest = await startFeedTest();
const { db, administer, folder, runImport, findTitles } = importTest;
const { responses, requests, toUrl, resetServer, importFeed } = importTest;

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const invalidText = '---\nlevel: Z9\n---\nText.';
const validText = '---\ntitle: Valid\n---\nText.';

async function writeCopies(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await copyRecording('constant.mp3', join(folder, `${name}.mp3`));
    await write(folder, `${name}.md`, text);
  }
}

beforeEach(resetServer);

describe('[CAT-10] recordings with the same audio', () => {
  it('are one article, and the others are duplicates of it', async () => {
    await writeCopies(Object.fromEntries(names.map((name) => [name, validText])));
    const { added, duplicates, failed } = await runImport();
    expect([added, failed]).toEqual([[{ slug: expect.any(String), title: 'Valid' }], []]);
    expect(duplicates).toHaveLength(names.length - 1);
    expect(new Set(duplicates.map(({ as }) => as))).toEqual(new Set([added[0]?.slug]));
  });

  it.each(['a', 'd', 'f'])('are one article where only %s is valid', async (valid) => {
    await writeCopies(
      Object.fromEntries(names.map((name) => [name, name === valid ? validText : invalidText])),
    );
    const { added, duplicates, failed } = await runImport();
    expect(added).toMatchObject([{ title: 'Valid' }]);
    expect(failed.length + duplicates.length).toBe(names.length - 1);
    expect(await findTitles()).toEqual(['Valid']);
  });

  it('all fail when none is valid', async () => {
    await writeCopies(Object.fromEntries(names.map((name) => [name, invalidText])));
    const { added, duplicates, failed } = await runImport();
    expect([added, duplicates]).toEqual([[], []]);
    expect(failed.map(({ name }) => name).sort()).toEqual(names.map((name) => `${name}.mp3`));
  });
});

describe('[CAT-10] two feeds of one website that number their episodes', () => {
  const news = { title: 'News', guid: '1', audio: toUrl('/one.mp3') };
  const story = { title: 'Story', guid: '1', audio: toUrl('/two.mp3') };

  function importEpisode(name: string, episode: Episode) {
    responses.set('/feed', createFeed([episode]).replace('Tones of the week', name));
    return importFeed();
  }

  it('have an article for each episode, which the import of the other feed leaves alone', async () => {
    await importEpisode('The news', news);
    expect(await importEpisode('Tales', story)).toMatchObject({ added: [{ title: 'Story' }] });
    expect(await importEpisode('The news', news)).toMatchObject({ unchanged: 1 });
    expect(await findTitles()).toEqual(['News', 'Story']);
  });

  it('have the articles that an earlier version stored without the title of the feed', async () => {
    const { added } = await importEpisode('The news', news);
    await sql`update article set source = 'feed:https://tones.example#1' where source is not null`.execute(
      db,
    );
    expect(await importEpisode('Tales', story)).toMatchObject({ added: [{ title: 'Story' }] });
    requests.length = 0;
    expect(await importEpisode('The news', news)).toMatchObject({ added: [], unchanged: 1 });
    expect(requests).toEqual(['/feed']);
    await sql`update article set source = 'feed:https://tones.example#1' where title = 'News'`.execute(db);
    const renamed = await importEpisode('The news', { ...news, title: 'Renamed' });
    expect(renamed).toMatchObject({ added: [], changed: [added[0]?.slug] });
  });

  it('have their articles when the title of a feed changes', async () => {
    await importEpisode('The news', news);
    expect(await importEpisode('News of the day', news)).toMatchObject({ added: [], duplicates: [] });
    expect(await findTitles()).toEqual(['News']);
  });
});

describe('[CAT-10] episodes of two feeds with the same audio', () => {
  /** Imports a feed with one episode. */
  function importEpisode(link: string, episode: Episode) {
    const feed = createFeed([{ audio: toUrl('/one.mp3'), ...episode }]);
    responses.set('/feed', feed.replace('https://tones.example', link));
    return importFeed();
  }

  it.each([
    ['', '9'],
    [' with the same guid', '1'],
    [' with a very long guid', '9'.repeat(3000)],
  ])('are one article of the first feed, and the other%s is a duplicate', async (_, guid) => {
    const first = () => importEpisode('https://a.example', { title: 'First', guid: '1' });
    const { added } = await first();
    expect(await importEpisode('https://b.example', { title: 'Best of', guid })).toMatchObject({
      changed: [],
      duplicates: [{ name: 'Best of', as: added[0]?.slug }],
    });
    expect(await first()).toMatchObject({ changed: [], unchanged: 1, duplicates: [] });
    expect(await findTitles()).toEqual(['First']);
  });

  it.each(['1', '1'.repeat(3000)])('are one article when the guid changes in its feed (%#)', async (guid) => {
    await importEpisode('https://a.example', { title: 'First', guid });
    const renamed = await importEpisode('https://a.example', { title: 'Renamed', guid: `${guid}2` });
    expect(renamed).toMatchObject({ added: [], changed: [expect.any(String)], duplicates: [] });
    expect(await findTitles()).toEqual(['Renamed']);
  });

  it.each([
    ['', toUrl('/one.mp3')],
    [' and it has new audio', toUrl('/two.mp3')],
  ])('are one article when the link of the feed becomes https%s', async (_, audio) => {
    await importEpisode('http://a.example', { title: 'First', guid: '1' });
    const secure = await importEpisode('https://a.example', { title: 'Renamed', guid: '1', audio });
    expect(secure).toMatchObject({ added: [], changed: [expect.any(String)], duplicates: [] });
  });

  it('are not downloaded again when the link of the feed becomes https', async () => {
    await importEpisode('http://a.example', { guid: '1' });
    requests.length = 0;
    expect(await importEpisode('https://a.example', { guid: '1' })).toMatchObject({ unchanged: 1 });
    expect(requests).toEqual(['/feed']);
  });

  it('that an earlier version stored with http are not imported again', async () => {
    const { added } = await importEpisode('https://a.example', { title: 'First', guid: '1' });
    await administer((admin) => admin.unpublish(added[0]?.slug ?? ''));
    await importEpisode('https://b.example', { title: 'Second', guid: '1', audio: toUrl('/two.mp3') });
    await sql`update article set source = replace(source, 'https:', 'http:') where source like 'feed:%'`.execute(
      db,
    );
    await sql`update withdrawn_article set source = replace(source, 'https:', 'http:')`.execute(db);
    await sql`update withdrawn_row set "row" = "row" || jsonb_build_object('source', replace("row" ->> 'source', 'https:', 'http:'))
      where table_name = 'article'`.execute(db);
    const migration = new URL('../../migrations/0043_secure_feed_sources.sql', import.meta.url);
    await sql.raw(await readFile(migration, 'utf8')).execute(db);
    const audio = toUrl('/two.mp3');
    expect(await importEpisode('http://a.example', { guid: '1', audio })).toMatchObject({ withdrawn: 1 });
    await administer((admin) => admin.publish(added[0]?.slug ?? ''));
    expect(await importEpisode('http://a.example', { title: 'First', guid: '1' })).toMatchObject({
      added: [],
      unchanged: 1,
    });
    const second = { title: 'Second', guid: '1', audio };
    expect(await importEpisode('http://b.example', second)).toMatchObject({ added: [], unchanged: 1 });
  });
});

describe('[CAT-10] a second episode of a feed with the same audio', () => {
  const first = { title: 'First', guid: '1', audio: toUrl('/one.mp3') };
  const second = { ...first, title: 'Second', guid: '2' };

  /** Imports a feed, and returns the result and the files that were downloaded. */
  async function importEpisodes(...episodes: Episode[]) {
    responses.set('/feed', createFeed(episodes));
    requests.length = 0;
    const result = await importFeed();
    return { ...result, downloads: requests.filter((path) => path !== '/feed') };
  }

  it('is downloaded once', async () => {
    const { added } = await importEpisodes(first);
    const duplicates = [{ name: 'Second', as: added[0]?.slug }];
    expect(await importEpisodes(first, second)).toMatchObject({ duplicates, downloads: ['/one.mp3'] });
    expect(await importEpisodes(first, second)).toMatchObject({ unchanged: 1, duplicates, downloads: [] });
  });

  it('is an article once it has other audio', async () => {
    await importEpisodes(first);
    await importEpisodes(first, second);
    const changed = await importEpisodes(first, { ...second, audio: toUrl('/two.mp3') });
    expect(changed).toMatchObject({ added: [{ title: 'Second' }], unchanged: 1, duplicates: [] });
  });

  it('is the article once the first one is gone', async () => {
    await importEpisodes(first);
    await importEpisodes(first, second);
    expect(await importEpisodes(second)).toMatchObject({ changed: [expect.any(String)], duplicates: [] });
    expect(await findTitles()).toEqual(['Second']);
  });

  it('is not downloaded again where the article was withdrawn', async () => {
    const { added } = await importEpisodes(first);
    await importEpisodes(first, second);
    await administer((admin) => admin.unpublish(added[0]?.slug ?? ''));
    expect(await importEpisodes(first, second)).toMatchObject({
      withdrawn: 2,
      duplicates: [],
      downloads: [],
    });
  });
});
