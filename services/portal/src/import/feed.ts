import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import * as z from 'zod/mini';
import { PieceFault } from '../library/source.ts';
import { type Draft, type Fetched, type Found, limits } from './draft.ts';
import { decoded, markedEncoding, oneLine, plainOf, refuseScripts } from './text.ts';
import type { Web } from './web.ts';

const attributes = z.looseObject({});
const element = z.union([z.string(), attributes]);
const feedSchema = z.object({
  rss: z.object({ channel: z.looseObject({ item: z.optional(z.array(z.looseObject({}))) }) }),
});
type Node = Record<string, unknown>;

// Entities of a feed's own are how a few bytes become many; without a document type there are none.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) => name === 'item',
});

/** A feed as text, in the encoding that its first bytes say it is written in. Throws `PieceFault` for one that nobody knows. */
function xmlOf(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 200);
  const [, declared] = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w:.-]+)/.exec(head) ?? [];
  const encoding = markedEncoding(bytes) ?? declared ?? 'utf-8';
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    throw new PieceFault(`is written in an encoding that is not known (${encoding})`);
  }
}

function parsed(xml: string): { channel: Node; items: Node[] } {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml))
    throw new PieceFault('carries a document type, which feeds do not need');
  let data: unknown;
  try {
    data = parser.parse(xml, true);
  } catch {
    throw new PieceFault('is not XML');
  }
  const read = feedSchema.safeParse(data);
  if (!read.success) throw new PieceFault('is no podcast feed');
  const { item = [], ...channel } = read.data.rss.channel;
  return { channel, items: item };
}

/** Elements of a name, however many there are. */
function all(node: Node, name: string): z.infer<typeof element>[] {
  const found = node[name];
  const list = Array.isArray(found) ? found : [found];
  return list.flatMap((value) => {
    const read = element.safeParse(value);
    return read.success ? [read.data] : [];
  });
}

/** The text of the first element of some names that has one. */
function textIn(node: Node, ...names: string[]): string | undefined {
  for (const value of names.flatMap((name) => all(node, name))) {
    const text = typeof value === 'string' ? value : value['#text'];
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return undefined;
}

/** An attribute of the first element of a name that has it. */
function attributeIn(node: Node, name: string, attribute: string): string | undefined {
  for (const value of all(node, name)) {
    const found = typeof value === 'string' ? undefined : value[`@${attribute}`];
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}

const transcriptKinds = [
  ['json', /json/],
  ['vtt', /vtt/],
  ['srt', /subrip|srt/],
  ['plain', /plain|html/],
] as const;

/** The transcript that says most: with times rather than without. */
function transcriptIn(item: Node) {
  const offered = all(item, 'podcast:transcript').flatMap((value) => {
    const [url, type] = typeof value === 'string' ? [] : [value['@url'], value['@type']];
    return typeof url === 'string' ? [{ url, type: typeof type === 'string' ? type : url }] : [];
  });
  for (const [format, pattern] of transcriptKinds) {
    const found = offered.find(({ type }) => pattern.test(type));
    if (found) return { url: found.url, format };
  }
  return undefined;
}

const imageIn = (node: Node): string | undefined => attributeIn(node, 'itunes:image', 'href');

function draftOf(channel: Node, item: Node, web: Web): Draft {
  const title = textIn(item, 'title', 'itunes:title');
  const name = oneLine(title ?? 'an episode without a title').slice(0, 120);
  const audio = attributeIn(item, 'enclosure', 'url');
  const picture = imageIn(item) ?? imageIn(channel) ?? textIn(Object(channel.image), 'url');
  const transcript = transcriptIn(item);
  const author = textIn(item, 'itunes:author', 'dc:creator') ?? textIn(channel, 'itunes:author', 'title');

  const brought = async (url: string, target: string, what: string, bytes: number) => {
    await web.download(url, target, { bytes, seconds: 120 }).catch((error: unknown) => {
      throw error instanceof PieceFault ? new PieceFault(`its ${what}: ${error.message}`) : error;
    });
    return readFile(target);
  };

  async function wordsOf(folder: string): Promise<Pick<Fetched, 'text' | 'transcript'>> {
    if (!transcript) return {};
    const { url, format } = transcript;
    const bytes = await brought(url, join(folder, 'transcript'), 'transcript', limits.transcript);
    const content = decoded(bytes, 'its transcript');
    if (format !== 'plain') return { transcript: { content, format } };
    refuseScripts(content, 'its transcript');
    return { text: { content: plainOf(content), format } };
  }

  return {
    source: `feed:${textIn(channel, 'link', 'title') ?? ''}#${textIn(item, 'guid') ?? audio ?? name}`,
    name,
    stamp: createHash('sha256')
      .update(JSON.stringify([item, picture, author]))
      .digest('hex'),
    hints: {
      ...{ title, narrator: author, published: textIn(item, 'pubDate', 'dc:date') },
      summary: textIn(item, 'description', 'itunes:summary', 'itunes:subtitle', 'content:encoded'),
      language: textIn(channel, 'language'),
      topic: attributeIn(channel, 'itunes:category', 'text') ?? textIn(channel, 'category'),
    },
    guess: {},
    async fetch(folder): Promise<Fetched> {
      if (audio === undefined) throw new PieceFault('has no audio');
      const target = join(folder, 'enclosure');
      await web.download(audio, target, { bytes: limits.audio, seconds: 3600 });
      if ((await stat(target)).size === 0) throw new PieceFault('is empty');
      return {
        audio: target,
        ...(await wordsOf(folder)),
        ...(picture && {
          picture: await brought(picture, join(folder, 'picture'), 'picture', limits.picture),
        }),
      };
    },
  };
}

/** Reads a podcast feed's episodes, newest first as feeds are. In: the feed, the way to what it points to. Throws `PieceFault`. */
export function draftsInFeed(bytes: Buffer, web: Web): Found {
  const { channel, items } = parsed(xmlOf(bytes));
  const drafts = new Map<string, Draft>();
  const failed: Found['failed'] = [];
  for (const draft of items.map((item) => draftOf(channel, item, web))) {
    const twin = drafts.get(draft.source);
    if (!twin) drafts.set(draft.source, draft);
    else if (twin.stamp !== draft.stamp)
      failed.push({ name: draft.name, reason: `has the guid of ${twin.name}` });
  }
  return { drafts: [...drafts.values()], failed };
}
