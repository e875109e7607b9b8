import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { api } from '@escucho/contracts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';
import { feedOf, picture, recording, srt } from '../testing/recordings.ts';
import { importContent } from './import.ts';
import { type Guard, isPublic } from './web.ts';

const portal = await startPortal();
const { db, call, connection, store, paths } = portal;
const { token } = await portal.createUser({ subscribed: true });
const root = await mkdtemp(join(tmpdir(), 'feed-test-'));

/** What the server answers, by path; a listener, or bytes. */
const pages = new Map<string, RequestListener | Buffer | string>();
let asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const page = pages.get(request.url ?? '');
  if (page === undefined) response.writeHead(404).end();
  else if (typeof page === 'function') page(request, response);
  else response.end(page);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = server.address();
const port = typeof address === 'object' ? address?.port : 0;
const at = (path: string) => `http://127.0.0.1:${port}${path}`;

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true, force: true });
});

const sound = await readFile(recording('constant.mp3'));
/** The same sound in other bytes, for recordings must differ. */
const soundOf = (name: string) => Buffer.concat([sound, Buffer.from(`TAG${name}`.padEnd(128, '\0'))]);

beforeEach(async () => {
  await db.deleteFrom('article').where('source', 'is not', null).execute();
  pages.clear();
  asked = [];
  pages.set('/one.mp3', soundOf('one'));
  pages.set('/two.mp3', soundOf('two'));
});

/** Imports a feed. In: its place, and which addresses may be asked: the server's own unless said. */
const run = (place = at('/feed'), allows = (address: string) => address === '127.0.0.1') =>
  importContent({
    ...{ connection, mediaStore: store, place, hints: { level: 'B1' }, workshop: join(root, 'workshop') },
    web: { allows },
  });
const titles = async () => {
  const rows = await db
    .selectFrom('article')
    .select('title')
    .where('source', 'is not', null)
    .orderBy('title')
    .execute();
  return rows.map(({ title }) => title);
};
const filesInStore = async () => (await readdir(join(paths.directory, 'media'), { recursive: true })).sort();

describe('[CAT-10] a podcast feed', () => {
  it('brings its episodes with what the feed says of them', async () => {
    pages.set('/cover.png', await picture());
    pages.set('/one.srt', srt);
    const transcript = { url: at('/one.srt'), type: 'application/x-subrip' };
    const episode = {
      title: 'Tone &amp; tune',
      guid: 'one',
      audio: at('/one.mp3'),
      transcript,
      image: at('/cover.png'),
    };
    pages.set('/feed', feedOf([episode, { title: 'Plain', guid: 'two', audio: at('/two.mp3') }]));
    const { added, failed } = await run();
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
  ])('takes a transcript of %s', async (_name, type, content) => {
    pages.set('/words', content);
    pages.set('/feed', feedOf([{ audio: at('/one.mp3'), transcript: { url: at('/words'), type } }]));
    expect((await run()).failed).toEqual([]);
    const { text } = await db
      .selectFrom('sentence')
      .innerJoin('article', 'article.id', 'article_id')
      .select('text')
      .where('source', 'is not', null)
      .executeTakeFirstOrThrow();
    expect(text).toMatch(/^Hello (& )?there\.$/);
  });

  it('again asks for nothing but the feed, and only for what is new', async () => {
    pages.set('/feed', feedOf([{ guid: 'one', audio: at('/one.mp3') }]));
    await run();
    asked = [];
    expect(await run()).toMatchObject({ added: [], unchanged: 1 });
    expect(asked).toEqual(['/feed']);
    pages.set(
      '/feed',
      feedOf([
        { title: 'New', guid: 'two', audio: at('/two.mp3') },
        { guid: 'one', audio: at('/one.mp3') },
      ]),
    );
    expect((await run()).added).toMatchObject([{ title: 'New' }]);
    expect(asked).not.toContain('/one.mp3');
  });

  it('may lie in a file, and is the same feed there', async () => {
    pages.set('/feed', feedOf([{ guid: 'one', audio: at('/one.mp3') }]));
    await run();
    await writeFile(join(root, 'feed.xml'), feedOf([{ guid: 'one', audio: at('/one.mp3') }]));
    expect(await run(join(root, 'feed.xml'))).toMatchObject({ added: [], unchanged: 1 });
  });

  it('may be written in an older encoding', async () => {
    const feed = feedOf([{ title: 'Mañana', guid: 'one', audio: at('/one.mp3') }], 'es');
    pages.set('/feed', Buffer.from(feed.replace('UTF-8', 'ISO-8859-1'), 'latin1'));
    expect((await run()).added).toMatchObject([{ title: 'Mañana' }]);
    pages.set('/feed', Buffer.from(`\ufeff${feed.replace('UTF-8', 'UTF-16')}`, 'utf16le'));
    expect(await run()).toMatchObject({ added: [], unchanged: 1 });
  });

  it('two episodes that call themselves the same are not taken for one', async () => {
    const one = { title: 'One', guid: 'same', audio: at('/one.mp3') };
    pages.set('/feed', feedOf([one, one, { title: 'Two', guid: 'same', audio: at('/two.mp3') }]));
    expect(await run()).toMatchObject({
      added: [{ title: 'One' }],
      failed: [{ name: 'Two', reason: 'has the guid of One' }],
    });
  });

  it('follows redirects', async () => {
    pages.set('/feed', (_, response) => response.writeHead(302, { location: '/moved' }).end());
    pages.set('/moved', feedOf([{ audio: at('/hop') }]));
    pages.set('/hop', (_, response) => response.writeHead(307, { location: at('/one.mp3') }).end());
    expect((await run()).added).toHaveLength(1);
  });
});

const endless: RequestListener = (_, response) => {
  const chunk = Buffer.alloc(1 << 20, 'a');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

describe('[CAT-10] a feed that means no good is refused as a whole, in words', () => {
  it.each<[string, RequestListener | Buffer | string, RegExp]>([
    ['no XML', 'this is no feed', /is not XML/],
    ['an encoding that nobody knows', feedOf([]).replace('UTF-8', 'X-OWN'), /not known \(X-OWN\)/],
    ['another kind of XML', '<html><body/></html>', /is no podcast feed/],
    [
      'entities that multiply',
      `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${feedOf([])}`,
      /document type/,
    ],
    [
      'an entity that reads a file',
      `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${feedOf([{ title: '&a;' }])}`,
      /document type/,
    ],
    ['elements within elements without an end', '<a>'.repeat(200_000), /is not XML|no podcast feed/],
    ['no end', endless, /sends more than 16 MB/],
    [
      'a bomb in gzip',
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
      'a redirect to the machine’s metadata',
      (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
      /private/,
    ],
    [
      'a redirect to a file',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      /no web address/,
    ],
    ['a redirect to nowhere', (_, response) => response.writeHead(302).end(), /redirects nowhere/],
    ['an error', (_, response) => response.writeHead(500).end(), /answers 500/],
    ['a connection that breaks', (request) => request.socket.destroy(), /cannot be reached/],
  ])('%s', async (_name, page, reason) => {
    pages.set('/feed', page);
    const files = await filesInStore();
    await expect(run()).rejects.toThrow(reason);
    expect(await titles()).toEqual([]);
    expect(await filesInStore()).toEqual(files);
  });
});

describe('[CAT-10] an episode that means no good is named with the reason, and the others come in', () => {
  const good = { title: 'Good', guid: 'good', audio: at('/two.mp3') };
  it.each<[string, Parameters<typeof feedOf>[0][number], RegExp]>([
    ['no audio', {}, /has no audio/],
    ['audio that is not there', { audio: at('/nowhere') }, /answers 404/],
    ['audio in a file of this machine', { audio: 'file:///etc/passwd' }, /no web address/],
    ['audio at a private address', { audio: 'http://192.168.1.1/a.mp3' }, /private/],
    ['audio at this machine by another spelling', { audio: 'http://0x7f000002/a.mp3' }, /private/],
    ['audio at this machine by IPv6', { audio: 'http://[::ffff:127.0.0.2]/a.mp3' }, /private/],
    [
      'a transcript at a private address',
      { audio: at('/one.mp3'), transcript: { url: 'http://10.1.1.1/', type: 'text/vtt' } },
      /transcript: .*private/,
    ],
    [
      'a picture at a private address',
      { audio: at('/one.mp3'), image: 'http://[fd00::1]/x.png' },
      /picture: .*private/,
    ],
    [
      'a transcript that is no UTF-8',
      { audio: at('/one.mp3'), transcript: { url: at('/latin'), type: 'text/vtt' } },
      /its transcript is not text in UTF-8/,
    ],
    [
      'a transcript without an end',
      { audio: at('/one.mp3'), transcript: { url: at('/endless'), type: 'text/vtt' } },
      /transcript: .*more than 8 MB/,
    ],
    ['a page instead of audio', { audio: at('/page') }, /no audio that can be read/],
    [
      'a script in its title',
      { title: '&lt;script&gt;alert(1)&lt;/script&gt;', audio: at('/one.mp3') },
      /title: holds a script/,
    ],
    [
      'a script in its description',
      { description: '<img src=x onerror=alert(1)>', audio: at('/one.mp3') },
      /summary: holds a script/,
    ],
  ])('%s', async (_name, episode, reason) => {
    pages.set('/endless', endless);
    pages.set('/latin', Buffer.from('WEBVTT\n\n00:00.200 --> 00:01.000\nMañana.', 'latin1'));
    pages.set('/page', '<html>Please sign in</html>');
    pages.set('/feed', feedOf([{ guid: 'bad', ...episode }, good]));
    const { added, failed } = await run();
    expect(failed).toEqual([{ name: expect.any(String), reason: expect.stringMatching(reason) }]);
    expect(added).toMatchObject([{ title: 'Good' }]);
    expect(await titles()).toEqual(['Good']);
    expect(await readdir(root)).not.toContain('workshop');
  });
});

describe('[CAT-10] names that lead to this machine or its network', () => {
  it.each(['localhost', 'public.example'])(
    '%s is refused by what it resolves to when it is asked',
    async (name) => {
      // A name that answers differently each time: first the open internet, then this machine.
      let asked = 0;
      const answers = [['93.184.215.14'], ['93.184.215.14', '127.0.0.1'], ['127.0.0.1']];
      const resolve: Guard['resolve'] = (_name, _options, done) => {
        const found = name === 'localhost' ? ['127.0.0.1'] : (answers[++asked] ?? ['127.0.0.1']);
        done(
          null,
          found.map((address) => ({ address, family: 4 })),
        );
      };
      const options = { connection, mediaStore: store, hints: {}, workshop: join(root, 'workshop') };
      const place = `http://${name}:${port}/feed`;
      pages.set('/feed', feedOf([{ audio: at('/one.mp3') }]));
      await expect(importContent({ ...options, place, web: { resolve } })).rejects.toThrow(
        /is a private address/,
      );
      expect(asked > 0).toBe(name !== 'localhost');
    },
  );

  const open = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];
  const closed = [
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.0.1', '169.254.169.254'],
    ...['100.64.0.1', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fd00::1', 'x'],
    ...['::ffff:10.0.0.1', '64:ff9b::7f00:1'],
  ];
  it.each([...open, ...closed])('%s is held to be what it is', (address) => {
    expect(isPublic(address)).toBe(open.includes(address));
  });
});
