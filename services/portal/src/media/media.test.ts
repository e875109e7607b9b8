import { createHash, createHmac } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { api } from '@escucho/contracts';
import { createApp } from '@escucho/service-kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { startBucket } from '../testing/fakes/s3.ts';
import { createMp3 } from '../testing/library.ts';
import { startPortal } from '../testing/portal.ts';
import { openMediaStore } from './file-store.ts';
import { type MediaStore, toKey } from './media-store.ts';
import { media } from './routes.ts';

const SIZE = 4096;
const bytes = createMp3(7, SIZE);
const SECRET_TEXT = 'nobody may read this';
const other = toKey('f'.repeat(64), 'mp3');
const codeOf = (body: Buffer): string => JSON.parse(body.toString()).error.code;
const bucket = await startBucket();
/** The first 128 bits of an HMAC. */
const sign = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url');

describe.each([
  ['files', await startPortal()],
  ['an S3-compatible bucket', await startPortal({ store: await openMediaStore(bucket.toLocation('media')) })],
])('media in %s', (_where, { app, call, createUser, playlistId, store, clock, secret, paths }) => {
  const stored = async (content: Buffer | string, extension: string): Promise<string> => {
    const key = toKey(createHash('sha256').update(content).digest('hex'), extension);
    await store.put(key, Readable.from([Buffer.from(content)]));
    return key;
  };
  let audio = '';

  const inAnHour = () => String(Math.floor(clock.seconds()) + 3600);
  /** Creates a link by the documented format, without the code under test. */
  function linkTo(key: string, expires = inAnHour()): string {
    const signature = sign(secret, `${key}\n${expires}`);
    return `/media/${key}?expires=${expires}&signature=${signature}`;
  }

  let port = 0;
  beforeAll(async () => {
    audio = await stored(bytes, 'mp3');
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(app.listeningOrigin).port);
  });

  /** Sends the path unchanged; fetch would normalize it. */
  async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, host: '127.0.0.1', path, method, headers }, resolve).on('error', reject).end();
    });
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
  }

  describe('a signed link', () => {
    it('[PLAY-04] returns the file with cache and security headers for the life of the link', async () => {
      const { status, headers, body } = await get(linkTo(audio));
      expect(status).toBe(200);
      expect(body.equals(bytes)).toBe(true);
      expect(headers).toMatchObject({
        'content-type': 'audio/mpeg',
        'content-length': String(SIZE),
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=3600, immutable',
        'cross-origin-resource-policy': 'same-site',
        'x-content-type-options': 'nosniff',
        etag: expect.stringMatching(/"/),
        'last-modified': expect.stringMatching(/GMT$/),
      });
    });

    it.each([
      ['mp3', 'audio/mpeg'],
      ['avif', 'image/avif'],
      ['webp', 'image/webp'],
      ['svg', 'image/svg+xml'],
    ])('serves .%s as %s, unable to run scripts', async (extension, type) => {
      const { headers } = await get(linkTo(await stored(`content as ${extension}`, extension)));
      expect(headers['content-type']).toBe(type);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      );
    });

    it('[PLAY-04] is contained in lists for audio and pictures', async () => {
      const { token } = await createUser();
      const sent = { params: { id: playlistId('latest') }, query: { limit: 1 } };
      const [track] = (await call(api.playlists.findPlaylistContent, token, sent)).docs;
      const links = [track?.url, track?.image, track?.artwork].map((link) => get(link ?? ''));
      const responses = await Promise.all(links);
      expect(responses.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
        [200, 'audio/mpeg'],
        [200, 'image/avif'],
        [200, 'image/webp'],
      ]);
    });

    it('of a picture stays the same during a week', async () => {
      const { token } = await createUser();
      const picture = async () => {
        const { docs } = await call(api.playlists.findPlaylistContent, token, {
          params: { id: playlistId('latest') },
          query: { limit: 1 },
        });
        return docs[0]?.image;
      };
      const before = await picture();
      clock.advance(600);
      expect(await picture()).toBe(before);
    });

    it('[PLAY-04] allows seeking until it expires', async () => {
      const link = linkTo(audio);
      for (const from of [0, 3000, 100]) {
        clock.advance(1000);
        const { status, body } = await get(link, { range: `bytes=${from}-` });
        expect([status, body.equals(bytes.subarray(from))]).toEqual([206, true]);
      }
      clock.advance(600);
      const { status, body } = await get(link, { range: 'bytes=0-' });
      expect([status, codeOf(body)]).toEqual([403, 'link_expired']);
    });
  });

  describe('ranges and conditions', () => {
    it.each([
      ['the first bytes', 'bytes=0-99', 0, 99],
      ['the middle', 'bytes=1000-1999', 1000, 1999],
      ['from an offset to the end', 'bytes=4000-', 4000, 4095],
      ['the last bytes', 'bytes=-100', 3996, 4095],
      ['more last bytes than there are', 'bytes=-99999', 0, 4095],
      ['one byte', 'bytes=5-5', 5, 5],
      ['beyond the end', 'bytes=4000-99999', 4000, 4095],
      ['the whole', 'bytes=0-', 0, 4095],
    ])('[PLAY-04] 206: %s (%s)', async (_name, range, from, to) => {
      const { status, headers, body } = await get(linkTo(audio), { range });
      expect(status).toBe(206);
      expect(headers['content-range']).toBe(`bytes ${from}-${to}/${SIZE}`);
      expect(headers['content-length']).toBe(String(to - from + 1));
      expect(body.equals(bytes.subarray(from, to + 1))).toBe(true);
    });

    it.each([
      ['behind the end', 'bytes=4096-'],
      ['far behind the end', 'bytes=99999-100000'],
      ['no last bytes', 'bytes=-0'],
      ['no numbers', 'bytes=a-b'],
      ['a range turned around', 'bytes=100-50'],
    ])('[PLAY-04] 416: %s (%s)', async (_name, range) => {
      const { status, headers, body } = await get(linkTo(audio), { range });
      expect([status, codeOf(body)]).toEqual([416, 'range_not_satisfiable']);
      expect(headers['content-range']).toBe(`bytes */${SIZE}`);
    });

    it.each([
      ['several ranges', 'bytes=0-1,5-6'],
      ['another unit', 'items=0-5'],
    ])('200 with the whole file: %s (%s)', async (_name, range) => {
      const { status, body } = await get(linkTo(audio), { range });
      expect([status, body.equals(bytes)]).toEqual([200, true]);
    });

    it.each([
      ['', {}],
      [', and ignores a range', { range: 'bytes=0-9' }],
      [', and ignores a range behind the end', { range: 'bytes=4096-' }],
    ])('HEAD returns the size without the bytes%s', async (_name, conditions) => {
      const { status, headers, body } = await get(linkTo(audio), conditions, 'HEAD');
      expect([status, headers['content-length'], body.length]).toEqual([200, String(SIZE), 0]);
      expect(headers['content-type']).toBe('audio/mpeg');
    });

    it('returns 304 when the entity tag or the date matches', async () => {
      const { headers } = await get(linkTo(audio));
      const conditions = [
        { 'if-none-match': headers.etag ?? '' },
        { 'if-modified-since': headers['last-modified'] ?? '' },
      ];
      for (const condition of conditions) {
        const { status, body } = await get(linkTo(audio), condition);
        expect([status, body.length]).toEqual([304, 0]);
      }
      expect((await get(linkTo(audio), { 'if-none-match': '"another"' })).status).toBe(200);
    });

    it('If-Range returns the range when the file matches, otherwise the whole file', async () => {
      const { headers } = await get(linkTo(audio));
      const getRange = (tag: string) => get(linkTo(audio), { range: 'bytes=0-9', 'if-range': tag });
      expect((await getRange(headers.etag ?? '')).status).toBe(206);
      expect((await getRange('"another"')).status).toBe(200);
    });

    it('fails with 412 when If-Match names other files only', async () => {
      const { headers } = await get(linkTo(audio));
      const { status, body } = await get(linkTo(audio), { 'if-match': '"another"' });
      expect([status, codeOf(body)]).toEqual([412, 'precondition_failed']);
      for (const tags of [`"another", ${headers.etag}`, '*'])
        expect((await get(linkTo(audio), { 'if-match': tags })).status).toBe(200);
    });

    it.each(['POST', 'PUT', 'DELETE'])('refuses %s with 404', async (method) => {
      expect((await get(linkTo(audio), {}, method)).status).toBe(404);
    });
  });

  describe('attacks', () => {
    const signatureIn = (link: string) => link.split('signature=')[1] ?? '';

    it.each([
      ['no query', () => `/media/${audio}`],
      ['no signature', () => linkTo(audio).split('&')[0] ?? ''],
      ['no expiry', () => `/media/${audio}?signature=${signatureIn(linkTo(audio))}`],
      ['an empty signature', () => `/media/${audio}?expires=${inAnHour()}&signature=`],
      ['a later expiry', () => linkTo(audio).replace(/expires=\d+/, `expires=${Number(inAnHour()) + 1}`)],
      ['another file', () => linkTo(other).replace(other, audio)],
      ['a cut signature', () => linkTo(audio).slice(0, -1)],
      ['a longer signature', () => `${linkTo(audio)}A`],
      ['a signature with padding', () => `${linkTo(audio)}=`],
      ['a changed signature', () => linkTo(audio).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
      ['two signatures', () => `${linkTo(audio)}&signature=${signatureIn(linkTo(audio))}`],
      ['two expiries', () => `${linkTo(audio)}&expires=${inAnHour()}`],
      [
        'an expired link with a wrong signature',
        () => `/media/${audio}?expires=1&signature=${'A'.repeat(22)}`,
      ],
      ['the expiry in another spelling', () => linkTo(audio).replace('expires=', 'expires=0')],
      ['no file at all', () => '/media/'],
    ])('[PLAY-04] refused as forbidden: %s', async (_name, address) => {
      const { status, body } = await get(address());
      expect([status, codeOf(body)]).toEqual([403, 'forbidden']);
    });

    it.each(['0', '-1', '1', '1e3', 'NaN', '', ' '])(
      '[PLAY-04] refuses a signed link with the expiry %o',
      async (expires) => {
        const { status } = await get(linkTo(audio, encodeURIComponent(expires)));
        expect(status).toBe(403);
      },
    );

    // All of these are signed correctly: even a valid signature does not lead out of the store.
    it.each([
      ['up and out', '../secret.txt'],
      ['up and out, encoded', '%2e%2e/secret.txt'],
      ['up and out, slash encoded', '..%2fsecret.txt'],
      ['up and out, encoded twice', '%252e%252e%252fsecret.txt'],
      ['up from a folder', 'ab/../../secret.txt'],
      ['backslashes', '..\\secret.txt'],
      ['backslashes, encoded', '..%5csecret.txt'],
      ['an absolute path', '/etc/passwd'],
      ['an absolute path, encoded', '%2fetc%2fpasswd'],
      ['NUL', 'secret.txt%00.mp3'],
      ['NUL after a right key', `${audio}%00`],
      ['a line end after a right key', `${audio}%0a`],
      ['a file in the store by a wrong name', 'ab/plain.mp3'],
      ['another extension', audio.replace('.mp3', '.txt')],
      ['capitals', audio.toUpperCase()],
      ['a longer path', `x/${audio}`],
      ['a drive', 'C:\\secret.txt'],
      ['a file that is a link out of the store', `ab/${'1'.repeat(62)}.mp3`],
      ['a folder that is a link out of the store', `cd/${'2'.repeat(62)}.mp3`],
      ['a folder by the name of a file', `ab/${'3'.repeat(62)}.mp3`],
      ['an unknown file', other],
    ])('[PLAY-04] refuses a signed link outside the store: %s', async (_name, path) => {
      const mediaRoot = join(paths.directory, 'media');
      await mkdir(join(mediaRoot, 'ab'), { recursive: true });
      await mkdir(join(paths.directory, 'outside'), { recursive: true });
      const outside = join(paths.directory, 'secret.txt');
      await writeFile(outside, SECRET_TEXT);
      await writeFile(join(paths.directory, 'outside', `${'2'.repeat(62)}.mp3`), SECRET_TEXT);
      await writeFile(join(mediaRoot, 'ab', 'plain.mp3'), SECRET_TEXT);
      await mkdir(join(mediaRoot, 'ab', `${'3'.repeat(62)}.mp3`), { recursive: true });
      await symlink(outside, join(mediaRoot, 'ab', `${'1'.repeat(62)}.mp3`)).catch(() => {});
      await symlink(join(paths.directory, 'outside'), join(mediaRoot, 'cd')).catch(() => {});

      const key = decodeURIComponent(path);
      const query = linkTo(key).split('?').at(-1);
      const { status, body } = await get(`/media/${path}?${query}`);
      expect([403, 404]).toContain(status);
      expect(['not_found', 'forbidden']).toContain(codeOf(body));
      expect(body.toString()).not.toContain(SECRET_TEXT);
    });

    it.each(['%E0%A4%A', '%', '%zz'])('refuses the malformed address %s with 400', async (path) => {
      expect((await get(`/media/${path}`)).status).toBe(400);
    });

    it('the store neither writes nor finds anything under an invalid key', async () => {
      await writeFile(join(paths.directory, 'secret.mp3'), SECRET_TEXT);
      for (const key of ['../secret.mp3', 'ab/plain.mp3', '']) {
        await expect(store.put(key, Readable.from(['x']))).rejects.toThrow('Not a key');
        expect(await store.stat(key)).toBeUndefined();
      }
      expect(await readFile(join(paths.directory, 'secret.mp3'), 'utf8')).toBe(SECRET_TEXT);
    });
  });
});

const stat = async () => ({ size: SIZE, modified: new Date() });
const createBrokenStream = () =>
  new Readable({
    read() {
      this.destroy(new Error('reset'));
    },
  });

it.each<[string, number, Partial<MediaStore>]>([
  ['cannot be reached', 503, {}],
  ['cannot open a file', 503, { stat, read: () => Promise.reject(new Error('timeout')) }],
  ['fails before the first byte', 500, { stat, read: async () => createBrokenStream() }],
])('[CAT-10] an error is not cached when the store %s', async (_name, status, changes) => {
  const unreachable = await openMediaStore({ ...bucket.toLocation(''), endpoint: 'http://127.0.0.1:1' });
  const app = createApp();
  await app.register(media, { prefix: '/media', store: { ...unreachable, ...changes }, secret: 'secret' });
  const key = toKey('a'.repeat(64), 'mp3');
  const expires = String(Math.floor(Date.now() / 1000) + 60);
  const signature = sign('secret', `${key}\n${expires}`);
  const response = await app.inject(`/media/${key}?expires=${expires}&signature=${signature}`);
  expect([response.statusCode, response.headers['cache-control']]).toEqual([status, 'no-store']);
  if (status === 503) expect(response.json().error.code).toBe('unavailable');
  await app.close();
});
