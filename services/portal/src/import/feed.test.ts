import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { api } from '@escucho/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startImportTest } from '../testing/imports.ts';
import { createFeed, createPicture, type Episode, readUniqueRecording, srt } from '../testing/recordings.ts';
import { type AddressPolicy, isPublicAddress } from './downloader.ts';
import type { ImportResult } from './service.ts';

const { db, call, root, createUser, reset, runImport, findTitles, listStoredFiles } = await startImportTest();
const { token } = await createUser({ subscribed: true });

/** The server's responses by path. */
const responses = new Map<string, RequestListener | Buffer | string>();
let requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(request.url ?? '');
  const content = responses.get(request.url ?? '');
  if (content === undefined) response.writeHead(404).end();
  else if (typeof content === 'function') content(request, response);
  else response.end(content);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = server.address();
const port = typeof address === 'object' ? address?.port : 0;
const toUrl = (path: string) => `http://127.0.0.1:${port}${path}`;

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Serves two different recordings and nothing else. */
async function resetServer(): Promise<void> {
  await reset();
  responses.clear();
  requests = [];
  for (const name of ['one', 'two']) responses.set(`/${name}.mp3`, await readUniqueRecording(name));
}

/** Imports a feed from the server, whose address is the only one that is allowed. */
const importFeed = (source = toUrl('/feed')) =>
  runImport({
    source,
    metadata: { level: 'B1' },
    addressPolicy: { isAllowed: (address) => address === '127.0.0.1' },
  });

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
    const article = await call(api.articles.findArticle, token, { params: { id } });
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
    requests = [];
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

  it('recognizes the same feed in a file', async () => {
    responses.set('/feed', createFeed([{ guid: 'one', audio: toUrl('/one.mp3') }]));
    await importFeed();
    await writeFile(join(root, 'feed.xml'), createFeed([{ guid: 'one', audio: toUrl('/one.mp3') }]));
    expect(await importFeed(join(root, 'feed.xml'))).toMatchObject({ added: [], unchanged: 1 });
  });

  it('reads other encodings', async () => {
    const feed = createFeed([{ title: 'Mañana', guid: 'one', audio: toUrl('/one.mp3') }], 'es');
    responses.set('/feed', Buffer.from(feed.replace('UTF-8', 'ISO-8859-1'), 'latin1'));
    expect((await importFeed()).added).toMatchObject([{ title: 'Mañana' }]);
    responses.set('/feed', Buffer.from(`\ufeff${feed.replace('UTF-8', 'UTF-16')}`, 'utf16le'));
    expect(await importFeed()).toMatchObject({ added: [], unchanged: 1 });
  });

  it('reports an episode that repeats the guid of another one', async () => {
    const one = { title: 'One', guid: 'same', audio: toUrl('/one.mp3') };
    responses.set('/feed', createFeed([one, one, { title: 'Two', guid: 'same', audio: toUrl('/two.mp3') }]));
    expect(await importFeed()).toMatchObject({
      added: [{ title: 'One' }],
      failed: [{ name: 'Two', reason: 'has the guid of One' }],
    });
  });

  it('follows redirects', async () => {
    responses.set('/feed', (_, response) => response.writeHead(302, { location: '/moved' }).end());
    responses.set('/moved', createFeed([{ audio: toUrl('/hop') }]));
    responses.set('/hop', (_, response) => response.writeHead(307, { location: toUrl('/one.mp3') }).end());
    expect((await importFeed()).added).toHaveLength(1);
  });
});

const endless: RequestListener = (_, response) => {
  const chunk = Buffer.alloc(1 << 20, 'a');
  const writeMore = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', writeMore);
  };
  writeMore();
};

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
    ['an endless response', endless, /sends more than 16 MB/],
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

/** Title, episode, reason. Each episode with valid audio has a recording of its own, so that it is no duplicate. */
const invalidEpisodes: readonly (readonly [string, Episode, RegExp])[] = [
  ['without audio', {}, /has no audio/],
  ['with missing audio', { audio: toUrl('/nowhere') }, /answers 404/],
  ['with audio in a local file', { audio: 'file:///etc/passwd' }, /no web address/],
  ['with audio at a private address', { audio: 'http://192.168.1.1/a.mp3' }, /private/],
  ['with audio at a hexadecimal loopback address', { audio: 'http://0x7f000002/a.mp3' }, /private/],
  ['with audio at an IPv6 loopback address', { audio: 'http://[::ffff:127.0.0.2]/a.mp3' }, /private/],
  [
    'with a transcript at a private address',
    { audio: toUrl('/a.mp3'), transcript: { url: 'http://10.1.1.1/', type: 'text/vtt' } },
    /transcript: .*private/,
  ],
  [
    'with a picture at a private address',
    { audio: toUrl('/b.mp3'), image: 'http://[fd00::1]/x.png' },
    /picture: .*private/,
  ],
  [
    'with a transcript that is not UTF-8',
    { audio: toUrl('/c.mp3'), transcript: { url: toUrl('/latin'), type: 'text/vtt' } },
    /its transcript is not text in UTF-8/,
  ],
  [
    'with an endless transcript',
    { audio: toUrl('/d.mp3'), transcript: { url: toUrl('/endless'), type: 'text/vtt' } },
    /transcript: .*more than 8 MB/,
  ],
  ['with a web page instead of audio', { audio: toUrl('/page') }, /no audio that can be read/],
  [
    'with a script in its title',
    { title: '&lt;script&gt;alert(1)&lt;/script&gt;', audio: toUrl('/e.mp3') },
    /title: holds a script/,
  ],
  [
    'with a script in its description',
    { description: '<img src=x onerror=alert(1)>', audio: toUrl('/f.mp3') },
    /summary: holds a script/,
  ],
];

describe('[CAT-10] importing a feed with invalid episodes', () => {
  let result: ImportResult;

  beforeAll(async () => {
    await resetServer();
    for (const name of 'abcdef') responses.set(`/${name}.mp3`, await readUniqueRecording(name));
    responses.set('/endless', endless);
    responses.set('/latin', Buffer.from('WEBVTT\n\n00:00.200 --> 00:01.000\nMañana.', 'latin1'));
    responses.set('/page', '<html>Please sign in</html>');
    const episodes = invalidEpisodes.map(([title, episode]) => ({ title, guid: title, ...episode }));
    const good = { title: 'Good', guid: 'good', audio: toUrl('/two.mp3') };
    responses.set('/feed', createFeed([...episodes, good]));
    result = await importFeed();
  }, 60_000);

  it.each(invalidEpisodes)('reports an episode %s', (title, episode, reason) => {
    const name = episode.title?.replace(/&lt;/g, '<').replace(/&gt;/g, '>') ?? title;
    const failures = result.failed.filter((failure) => failure.name === name);
    expect(failures).toEqual([{ name, reason: expect.stringMatching(reason) }]);
  });

  it('imports the valid one and leaves nothing of the others behind', async () => {
    expect(result.failed).toHaveLength(invalidEpisodes.length);
    expect(result.added).toMatchObject([{ title: 'Good' }]);
    expect(await findTitles()).toEqual(['Good']);
    expect(await readdir(root)).not.toContain('scratch');
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

  const publicAddresses = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];
  const privateAddresses = [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'x',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
  ];
  it.each([...publicAddresses, ...privateAddresses])('classifies %s as public or private', (address) => {
    expect(isPublicAddress(address)).toBe(publicAddresses.includes(address));
  });
});
