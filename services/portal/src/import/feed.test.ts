import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { api } from '@escucho/contracts';
import { createDeferred } from '@escucho/database/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendEndlessly, startFeedTest } from '../testing/feed-server.ts';
import { createFeed, createPicture, readUniqueRecording, srt } from '../testing/recordings.ts';
import type { AddressPolicy } from './downloader.ts';

const feedTest = await startFeedTest();
const { db, administer, call, root, runImport, findTitles, listStoredFiles } = feedTest;
const { responses, requests, port, toUrl, resetServer, importFeed } = feedTest;
const { token } = await feedTest.createUser({ subscribed: true });

describe('[CAT-10] importing a podcast feed', () => {
  beforeEach(resetServer);

  it('imports episodes with the metadata of the feed', async () => {
    responses.set('/cover.png', await createPicture());
    responses.set('/one.srt', srt);
    const transcript = { url: toUrl('/one.srt'), type: 'application/x-subrip' };
    const episode = {
      title: 'Tone &amp; tune',
      guid: 'one',
      audio: toUrl('/one.mp3'),
      transcript,
      image: toUrl('/cover.png'),
    };
    responses.set('/feed', createFeed([episode, { title: 'Plain', guid: 'two', audio: toUrl('/two.mp3') }]));
    const { added, failed } = await importFeed();
    expect([added.length, failed]).toEqual([2, []]);
    const { id } = await db
      .selectFrom('article')
      .select('id')
      .where('title', '=', 'Tone & tune')
      .executeTakeFirstOrThrow();
    const article = await call(api.catalogue.findArticle, token, { params: { id } });
    expect(article).toMatchObject({
      ...{
        language: 'en',
        level: 'B1',
        topic: 'science',
        summary: 'One tone & more.',
        narrator: { name: 'Ada' },
      },
      publishedAt: '2026-03-09T00:00:00.000Z',
    });
    expect(article.sentences.map(({ text, start }) => [text, start])).toMatchObject([
      ['This is the first tone.', 0.238],
      ['This is the second tone!', expect.any(Number)],
      ['The third one is short.', expect.any(Number)],
    ]);
  });

  it('follows the redirects of several services that count downloads', async () => {
    const counters = Array.from({ length: 8 }, (_, index) => `/counter-${index}/one.mp3`);
    counters.forEach((path, index) => {
      const location = counters[index + 1] ?? '/one.mp3';
      responses.set(path, (_, response) => response.writeHead(302, { location }).end());
    });
    responses.set('/feed', createFeed([{ audio: toUrl('/counter-0/one.mp3') }]));
    expect(await importFeed()).toMatchObject({ added: [{}], failed: [] });
  });

  it('decodes character references once, and none in CDATA', async () => {
    const episode = {
      title: 'Ada&#8217;s &#x201C;tone&#x201d; &amp;#39;',
      guid: 'one',
      audio: toUrl('/one.mp3?a=1&#38;b=2'),
      description: 'A &amp;#8217; here.',
    };
    const author = '<itunes:author>Nora O&#8217;Neil</itunes:author>';
    responses.set('/feed', createFeed([episode]).replace('</item>', `${author}</item>`));
    responses.set('/one.mp3?a=1&b=2', await readUniqueRecording('one'));
    expect(await importFeed()).toMatchObject({ failed: [] });
    expect(requests).toContain('/one.mp3?a=1&b=2');
    const article = db.selectFrom('article').select(['title', 'narrator', 'summary']);
    expect(await article.where('source', 'is not', null).execute()).toEqual([
      { title: 'Ada’s “tone” &#39;', narrator: 'Nora O’Neil', summary: 'A &#8217; here.' },
    ]);
  });

  it('decodes the named references of HTML, and leaves unknown ones as they are', async () => {
    responses.set(
      '/feed',
      createFeed([{ title: 'Caf&eacute; &none;', guid: 'one', audio: toUrl('/one.mp3') }]),
    );
    responses.set('/one.mp3', await readUniqueRecording('one'));
    expect(await importFeed()).toMatchObject({ added: [{ title: 'Café &none;' }], failed: [] });
  });

  it.each([
    [
      'JSON',
      'application/json',
      JSON.stringify({ segments: [{ startTime: 0.2, endTime: 1, body: 'Hello there.' }] }),
    ],
    ['WebVTT', 'text/vtt', 'WEBVTT\n\n00:00.200 --> 00:01.000\n<v Ada>Hello &amp; <i>there.</i>'],
    ['plain text', 'text/plain', 'Hello there.'],
    ['HTML', 'text/html', '<p>Hello <b>there.</b></p>'],
  ])('reads a transcript of %s', async (_name, type, content) => {
    responses.set('/words', content);
    responses.set(
      '/feed',
      createFeed([{ audio: toUrl('/one.mp3'), transcript: { url: toUrl('/words'), type } }]),
    );
    expect((await importFeed()).failed).toEqual([]);
    const { text } = await db
      .selectFrom('sentence')
      .innerJoin('article', 'article.id', 'article_id')
      .select('text')
      .where('source', 'is not', null)
      .executeTakeFirstOrThrow();
    expect(text).toMatch(/^Hello (& )?there\.$/);
  });

  it('requests only the feed and new episodes the second time', async () => {
    responses.set('/feed', createFeed([{ guid: 'one', audio: toUrl('/one.mp3') }]));
    await importFeed();
    requests.length = 0;
    expect(await importFeed()).toMatchObject({ added: [], unchanged: 1 });
    expect(requests).toEqual(['/feed']);
    responses.set(
      '/feed',
      createFeed([
        { title: 'New', guid: 'two', audio: toUrl('/two.mp3') },
        { guid: 'one', audio: toUrl('/one.mp3') },
      ]),
    );
    expect((await importFeed()).added).toMatchObject([{ title: 'New' }]);
    expect(requests).not.toContain('/one.mp3');
  });

  it('downloads an episode again when its audio has another length', async () => {
    const feed = createFeed([{ guid: 'one', audio: toUrl('/one.mp3') }]);
    responses.set('/feed', feed);
    await importFeed();
    requests.length = 0;
    responses.set('/feed', feed.replace('length="9415"', 'length="9416"'));
    expect((await importFeed()).failed).toEqual([]);
    expect(requests).toEqual(['/feed', '/one.mp3']);
  });

  it('updates episodes when the language or the category of the feed is corrected', async () => {
    const feed = createFeed([{ guid: 'one', audio: toUrl('/one.mp3') }]);
    for (const changed of [feed.replace('en-GB', 'es'), feed.replace('Science', 'History')]) {
      responses.set('/feed', changed);
      await importFeed();
    }
    const article = db.selectFrom('article').select(['language', 'topic']).where('source', 'is not', null);
    expect(await article.execute()).toEqual([{ language: 'en', topic: 'history' }]);
  });

  it('recognizes the same feed in a file', async () => {
    responses.set('/feed', createFeed([{ guid: 'one', audio: toUrl('/one.mp3') }]));
    await importFeed();
    await writeFile(join(root, 'feed.xml'), createFeed([{ guid: 'one', audio: toUrl('/one.mp3') }]));
    expect(await importFeed({ source: join(root, 'feed.xml') })).toMatchObject({ added: [], unchanged: 1 });
  });

  it('reads other encodings', async () => {
    const feed = createFeed([{ title: 'Mañana', guid: 'one', audio: toUrl('/one.mp3') }], 'es');
    responses.set('/feed', Buffer.from(feed.replace('UTF-8', 'ISO-8859-1'), 'latin1'));
    expect((await importFeed()).added).toMatchObject([{ title: 'Mañana' }]);
    responses.set('/feed', Buffer.from(`\ufeff${feed.replace('UTF-8', 'UTF-16')}`, 'utf16le'));
    expect(await importFeed()).toMatchObject({ added: [], unchanged: 1 });
  });

  it.each([
    ['a NUL character', 'a\u0000b'],
    ['more bytes than an index takes', Array.from({ length: 120 }, () => randomUUID()).join('')],
  ])('imports an episode whose guid has %s once', async (_, guid) => {
    const episodes = [
      { title: 'Odd', guid, audio: toUrl('/one.mp3') },
      { title: 'Even', guid: 'two', audio: toUrl('/two.mp3') },
    ];
    responses.set('/feed', createFeed(episodes));
    expect((await importFeed()).failed).toEqual([]);
    expect(await findTitles()).toEqual(['Even', 'Odd']);
    expect(await importFeed()).toMatchObject({ added: [], unchanged: 2 });
  });

  it('reports an episode that repeats the guid of another one', async () => {
    const one = { title: 'One', guid: 'same', audio: toUrl('/one.mp3') };
    responses.set('/feed', createFeed([one, one, { title: 'Two', guid: 'same', audio: toUrl('/two.mp3') }]));
    expect(await importFeed()).toMatchObject({
      added: [{ title: 'One' }],
      failed: [{ name: 'Two', reason: 'has the guid of One' }],
    });
  });

  it.each([
    ['', { title: 'Changed', guid: 'one' }],
    [' and whose guid changed', { guid: 'another' }],
  ])('leaves out an episode that is unpublished while it is downloaded%s', async (_name, changes) => {
    const audio = toUrl('/one.mp3');
    responses.set('/feed', createFeed([{ title: 'One', guid: 'one', audio }]));
    const slug = (await importFeed()).added[0]?.slug ?? '';
    responses.set('/feed', createFeed([{ audio, ...changes }]));
    responses.set('/one.mp3', async (_, response) => {
      await administer((admin) => admin.unpublish(slug));
      response.end(await readUniqueRecording('one'));
    });
    expect(await importFeed()).toMatchObject({ added: [], changed: [], withdrawn: 1 });
    expect(await findTitles()).toEqual([]);
    await administer((admin) => admin.publish(slug));
    expect(await findTitles()).toEqual(['One']);
  });

  it('returns new articles in the order of the feed, whichever is downloaded first', async () => {
    const titles = ['One', 'Two'];
    const episodes = titles.map((title) => ({ title, guid: title, audio: toUrl(`/${title}.mp3`) }));
    responses.set('/feed', createFeed(episodes));
    const { promise: isSecondImported, resolve: continueFirst } = createDeferred();
    responses.set('/One.mp3', async (_, response) => {
      // On one core recordings are imported one after the other.
      if (availableParallelism() > 1) await isSecondImported;
      response.end(await readUniqueRecording('one'));
    });
    responses.set('/Two.mp3', await readUniqueRecording('two'));
    const { added } = await importFeed({ onProgress: () => continueFirst() });
    expect(added.map(({ title }) => title)).toEqual(titles);
  });

  it('follows redirects', async () => {
    responses.set('/feed', (_, response) => response.writeHead(302, { location: '/moved' }).end());
    responses.set('/moved', createFeed([{ audio: toUrl('/hop') }]));
    responses.set('/hop', (_, response) => response.writeHead(307, { location: toUrl('/one.mp3') }).end());
    expect((await importFeed()).added).toHaveLength(1);
  });
});

describe('[CAT-10] importing an invalid feed', () => {
  beforeEach(resetServer);

  it.each<[string, RequestListener | Buffer | string, RegExp]>([
    ['text that is not XML', 'this is no feed', /is not XML/],
    ['an unknown encoding', createFeed([]).replace('UTF-8', 'X-OWN'), /not known \(X-OWN\)/],
    ['another kind of XML', '<html><body/></html>', /is no podcast feed/],
    [
      'entities that expand',
      `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${createFeed([])}`,
      /document type/,
    ],
    [
      'an entity that reads a file',
      `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${createFeed([{ title: '&a;' }])}`,
      /document type/,
    ],
    ['deeply nested elements', '<a>'.repeat(200_000), /is not XML|no podcast feed/],
    ['an endless response', sendEndlessly, /sends more than 16 MB/],
    [
      'a compressed response',
      (_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1 << 24)));
      },
      /packed/,
    ],
    [
      'redirects in a circle',
      (_, response) => response.writeHead(302, { location: '/feed' }).end(),
      /without an end/,
    ],
    [
      'a redirect to a private address',
      (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      /10\.0\.0\.1 is a private/,
    ],
    [
      'a redirect to the cloud metadata service',
      (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
      /private/,
    ],
    [
      'a redirect to a file',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      /no web address/,
    ],
    ['a redirect without a target', (_, response) => response.writeHead(302).end(), /redirects nowhere/],
    ['an error status', (_, response) => response.writeHead(500).end(), /answers 500/],
    ['an interrupted connection', (request) => request.socket.destroy(), /cannot be reached/],
  ])('refuses %s', async (_name, response, reason) => {
    responses.set('/feed', response);
    const files = await listStoredFiles();
    await expect(importFeed()).rejects.toThrow(reason);
    expect(await findTitles()).toEqual([]);
    expect(await listStoredFiles()).toEqual(files);
  });
});

describe('[CAT-10] importing from a host name', () => {
  it.each(['localhost', 'public.example'])(
    'refuses %s by the addresses it resolves to at the time of the request',
    async (name) => {
      let lookups = 0;
      // The name resolves to a public address first and to this machine afterwards (DNS rebinding).
      const results = [['93.184.215.14'], ['93.184.215.14', '127.0.0.1'], ['127.0.0.1']];
      const resolve: AddressPolicy['resolve'] = (_name, _options, callback) => {
        const found = name === 'localhost' ? ['127.0.0.1'] : (results[++lookups] ?? ['127.0.0.1']);
        callback(
          null,
          found.map((address) => ({ address, family: 4 })),
        );
      };
      await resetServer();
      responses.set('/feed', createFeed([{ audio: toUrl('/one.mp3') }]));
      const source = `http://${name}:${port}/feed`;
      const importing = runImport({ source, metadata: {}, addressPolicy: { resolve } });
      await expect(importing).rejects.toThrow(/is a private address/);
      expect(lookups > 0).toBe(name !== 'localhost');
    },
  );
});
