import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/** Recordings of three seconds with tones from 0.2 to 1.0, from 1.5 to 2.2 and from 2.6 to 2.9 seconds. */
export type RecordingName = 'constant.mp3' | 'varying.mp3' | 'tones.m4a' | 'tones.opus';

/** Returns the path of a recording. The tags of `constant.mp3` are the title 'Three tones' and the artist 'A machine'. */
export const getRecordingPath = (name: RecordingName): string =>
  fileURLToPath(new URL(`recordings/${name}`, import.meta.url));

/** Copies a recording to a path, creating its folders. */
export async function copyRecording(name: RecordingName, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await copyFile(getRecordingPath(name), target);
}

export const markdown = `---
title: The three tones
level: A2
topic: Science
narrator: Ada
summary: Three tones of a machine.
published: 2026-03-09
---
This is the first tone. This is the second tone!

The third one is short.
`;

export const srt = `1
00:00:00,200 --> 00:00:01,000
This is the first

2
00:00:01,500 --> 00:00:02,200
tone. This is the second

3
00:00:02,600 --> 00:00:02,900
tone! The third one is short.
`;

/** Returns `constant.mp3` with other bytes, so that it is no duplicate: a name in an ID3v1 tag. */
export const readUniqueRecording = async (name: string): Promise<Buffer> =>
  Buffer.concat([
    await readFile(getRecordingPath('constant.mp3')),
    Buffer.from(`TAG${name}`.slice(0, 128).padEnd(128, '\0'), 'latin1'),
  ]);

/** Returns a red square as PNG. */
export const createPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

/** Writes a file, creating its folders. */
export async function write(folder: string, name: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

export interface Episode {
  title?: string;
  guid?: string;
  audio?: string;
  transcript?: { url: string; type: string };
  image?: string;
  description?: string;
  published?: string;
}

/** Returns a podcast feed. */
export const createFeed = (
  episodes: readonly Episode[],
  language = 'en-GB',
): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel>
<title>Tones of the week</title><link>https://tones.example</link><language>${language}</language>
<itunes:author>Ada</itunes:author><itunes:category text="Science"/>
${episodes
  .map(
    ({
      title = 'A tone',
      guid,
      audio,
      transcript,
      image,
      description = '<p>One <b>tone</b> &amp; more.</p>',
      published = 'Mon, 09 Mar 2026 08:00:00 GMT',
    }) => `<item>
<title>${title}</title>${guid === undefined ? '' : `<guid isPermaLink="false">${guid}</guid>`}
<pubDate>${published}</pubDate><description><![CDATA[${description}]]></description>
${audio === undefined ? '' : `<enclosure url="${audio}" length="9415" type="audio/mpeg"/>`}
${transcript === undefined ? '' : `<podcast:transcript url="${transcript.url}" type="${transcript.type}"/>`}
${image === undefined ? '' : `<itunes:image href="${image}"/>`}
</item>`,
  )
  .join('\n')}
</channel></rss>`;
