import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendEndlessly, startFeedTest } from '../testing/feed-server.ts';
import { createFeed, type Episode, readUniqueRecording } from '../testing/recordings.ts';
import type { ImportResult } from './importer.ts';

const { root, findTitles, responses, toUrl, resetServer, importFeed } = await startFeedTest();

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
  [
    'of a day that does not exist',
    { published: 'Wed, 32 Jan 2024 08:00:00 GMT', audio: toUrl('/g.mp3') },
    /its published is not usable/,
  ],
];

describe('[CAT-10] importing a feed with invalid episodes', () => {
  let result: ImportResult;

  beforeAll(async () => {
    await resetServer();
    for (const name of 'abcdefg') responses.set(`/${name}.mp3`, await readUniqueRecording(name));
    responses.set('/endless', sendEndlessly);
    responses.set('/latin', Buffer.from('WEBVTT\n\n00:00.200 --> 00:01.000\nMañana.', 'latin1'));
    responses.set('/page', '<html>Please sign in</html>');
    const episodes = invalidEpisodes.map(([title, episode]) => ({ title, guid: title, ...episode }));
    const good = { title: 'Good', guid: 'good', audio: toUrl('/two.mp3') };
    responses.set('/feed', createFeed([...episodes, good]));
    result = await importFeed();
  });

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
