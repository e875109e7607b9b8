import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/** Three seconds of tones: sounding from 0.2 to 1.0, from 1.5 to 2.2 and from 2.6 to 2.9. */
export type RecordingName = 'constant.mp3' | 'varying.mp3' | 'tones.m4a' | 'tones.opus';

/** The path of a small recording that was made once. `constant.mp3` says its title and that 'A machine' made it. */
export const recording = (name: RecordingName): string =>
  fileURLToPath(new URL(`recordings/${name}`, import.meta.url));

/** Copies a recording to where it is wanted, with its folders. */
export async function place(name: RecordingName, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await copyFile(recording(name), target);
}

export const markdown = `---
title: The three tones
level: A2
topic: Science
narrator: Ada
summary: What a machine says when nobody listens.
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

/** A red square as PNG. */
export const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

/** Writes a text or bytes, with the folders above. */
export async function write(folder: string, name: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

interface Episode {
  title?: string;
  guid?: string;
  audio?: string;
  transcript?: { url: string; type: string };
  image?: string;
  description?: string;
}

/** A podcast feed. In: its episodes, by absolute addresses. */
export const feedOf = (
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
    }) => `<item>
<title>${title}</title>${guid === undefined ? '' : `<guid isPermaLink="false">${guid}</guid>`}
<pubDate>Mon, 09 Mar 2026 08:00:00 GMT</pubDate><description><![CDATA[${description}]]></description>
${audio === undefined ? '' : `<enclosure url="${audio}" length="9415" type="audio/mpeg"/>`}
${transcript === undefined ? '' : `<podcast:transcript url="${transcript.url}" type="${transcript.type}"/>`}
${image === undefined ? '' : `<itunes:image href="${image}"/>`}
</item>`,
  )
  .join('\n')}
</channel></rss>`;
