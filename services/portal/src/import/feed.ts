import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeHTMLStrict } from 'entities';
import { XMLParser } from 'fast-xml-parser';
import * as z from 'zod/mini';
import { ContentError, parseContent } from '../catalogue-loader/article-files.ts';
import { hashJson } from '../catalogue-loader/article-writer.ts';
import type { Downloader } from './downloader.ts';
import { maxBytes, type Recording, type RecordingFiles, type RecordingList } from './recording.ts';
import { decodeText, getBomEncoding, htmlToText, rejectScripts, toSingleLine } from './text.ts';

const AUDIO_TIMEOUT_SECONDS = 3600;
const FILE_TIMEOUT_SECONDS = 120;

/** Shorter guids, such as the number of an episode, may also be those of another feed with the same link. */
const MIN_UNIQUE_GUID_LENGTH = 16;

/** PostgreSQL cannot index much longer keys. */
const MAX_SOURCE_BYTES = 2000;

const elementSchema = z.union([z.string(), z.looseObject({})]);
const feedSchema = z.object({
  rss: z.object({ channel: z.looseObject({ item: z.optional(z.array(z.looseObject({}))) }) }),
});
type Element = Record<string, unknown>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  entityDecoder: {
    // Feeds have the names of HTML too, such as `&eacute;`. Document types, which define other ones, are refused.
    decode: decodeHTMLStrict,
    addInputEntities() {},
    setExternalEntities() {},
    setXmlVersion() {},
    reset() {},
  },
  isArray: (name) => name === 'item',
});

/** Decodes a feed by its byte order mark or its XML declaration. */
function decodeXml(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 200);
  const [, declared] = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w:.-]+)/.exec(head) ?? [];
  const encoding = getBomEncoding(bytes) ?? declared ?? 'utf-8';
  return parseContent(`is written in an encoding that is not known (${encoding})`, () =>
    new TextDecoder(encoding).decode(bytes),
  );
}

/**
 * Splits CDATA in which an episode quotes a document type, as HTML has one: what is left of them is real. Where it only looks
 * like CDATA, the result is not XML.
 */
const splitQuotedTypes = (xml: string): string =>
  xml.replace(/<!\[CDATA\[.*?(?:\]\]>|$)/gs, (section) =>
    section.replace(/<(?=!(?:DOCTYPE|ENTITY))/gi, '<]]><![CDATA['),
  );

function parseXml(text: string): { channel: Element; items: Element[] } {
  const xml = splitQuotedTypes(text);
  // A document type can define entities that expand without limit.
  if (/<!(DOCTYPE|ENTITY)/i.test(xml))
    throw new ContentError('carries a document type, which feeds do not need');
  const data: unknown = parseContent('is not XML', () => parser.parse(xml, true));
  const { rss } = parseContent('is no podcast feed', () => feedSchema.parse(data));
  const { item: items = [], ...channel } = rss.channel;
  return { channel, items };
}

function findElements(parent: Element, name: string): z.infer<typeof elementSchema>[] {
  const value = parent[name];
  const elements = Array.isArray(value) ? value : [value];
  return elements.flatMap((element) => {
    const result = elementSchema.safeParse(element);
    return result.success ? [result.data] : [];
  });
}

/** Returns the text of the first element with one of the names that is not empty. */
function findText(parent: Element, ...names: string[]): string | undefined {
  for (const element of names.flatMap((name) => findElements(parent, name))) {
    const text = typeof element === 'string' ? element : element['#text'];
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return undefined;
}

function findAttribute(parent: Element, name: string, attribute: string): string | undefined {
  for (const element of findElements(parent, name)) {
    const value = typeof element === 'string' ? undefined : element[`@${attribute}`];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Formats of transcripts by media type, those with the most information first. */
const transcriptFormats = [
  ['json', /json/],
  ['vtt', /vtt/],
  ['srt', /subrip|srt/],
  ['plain', /plain|html/],
] as const;

function findTranscript(item: Element) {
  const transcripts = findElements(item, 'podcast:transcript').flatMap((element) => {
    const [url, type] = typeof element === 'string' ? [] : [element['@url'], element['@type']];
    return typeof url === 'string' ? [{ url, type: typeof type === 'string' ? type : url }] : [];
  });
  for (const [format, pattern] of transcriptFormats) {
    const transcript = transcripts.find(({ type }) => pattern.test(type));
    if (transcript) return { url: transcript.url, format };
  }
  return undefined;
}

const findImage = (parent: Element): string | undefined => findAttribute(parent, 'itunes:image', 'href');

const isStorable = (source: string): boolean =>
  Buffer.byteLength(source) <= MAX_SOURCE_BYTES && !source.includes('\0');

/** The link of a feed often changes from http to https. */
function toSourcePrefix(channel: Element): string {
  const link = (findText(channel, 'link', 'title') ?? '').replace(/^http:/i, 'https:');
  return `feed:${isStorable(link) ? link : hashJson(link)}#`;
}

function toRecording(
  channel: Element,
  sourcePrefix: string,
  item: Element,
  downloader: Downloader,
): Recording {
  const title = findText(item, 'title', 'itunes:title');
  const name = toSingleLine(title ?? 'an episode without a title').slice(0, 120);
  const audio = findAttribute(item, 'enclosure', 'url');
  const picture = findImage(item) ?? findImage(channel) ?? findText(Object(channel.image), 'url');
  const transcript = findTranscript(item);
  const author = findText(item, 'itunes:author', 'dc:creator') ?? findText(channel, 'itunes:author', 'title');
  const language = findText(channel, 'language');
  const topic = findAttribute(channel, 'itunes:category', 'text') ?? findText(channel, 'category');

  async function downloadFile(url: string, target: string, kind: 'picture' | 'transcript') {
    const limits = { bytes: maxBytes[kind], seconds: FILE_TIMEOUT_SECONDS };
    await downloader.download(url, target, limits).catch((error: unknown) => {
      throw error instanceof ContentError ? new ContentError(`its ${kind}: ${error.message}`) : error;
    });
    return readFile(target);
  }

  async function fetchTranscript(folder: string): Promise<Pick<RecordingFiles, 'text' | 'transcript'>> {
    if (!transcript) return {};
    const { url, format } = transcript;
    const bytes = await downloadFile(url, join(folder, 'transcript'), 'transcript');
    const content = decodeText(bytes, 'its transcript');
    if (format !== 'plain') return { transcript: { content, format } };
    rejectScripts(content, 'its transcript');
    return { text: { content: htmlToText(content), format } };
  }

  const toSource = (id: string) => sourcePrefix + (isStorable(sourcePrefix + id) ? id : hashJson(id));
  const guid = findText(item, 'guid') ?? audio ?? name;
  const isUnique = guid.length >= MIN_UNIQUE_GUID_LENGTH;
  const feedTitle = findText(channel, 'title') ?? '';
  return {
    source: toSource(isUnique ? guid : `${feedTitle}#${guid}`),
    ...(!isUnique && { formerSource: toSource(guid) }),
    name,
    stamp: hashJson([item, picture, author, language, topic]),
    metadata: {
      title,
      narrator: author,
      published: findText(item, 'pubDate', 'dc:date'),
      summary: findText(item, 'description', 'itunes:summary', 'itunes:subtitle', 'content:encoded'),
      language,
      topic,
    },
    fallback: {},
    async fetch(folder): Promise<RecordingFiles> {
      if (audio === undefined) throw new ContentError('has no audio');
      // The audio last: without one of the others it would be downloaded in vain, at each import.
      const others = {
        ...(await fetchTranscript(folder)),
        ...(picture && { picture: await downloadFile(picture, join(folder, 'picture'), 'picture') }),
      };
      const target = join(folder, 'enclosure');
      await downloader.download(audio, target, { bytes: maxBytes.audio, seconds: AUDIO_TIMEOUT_SECONDS });
      if ((await stat(target)).size === 0) throw new ContentError('is empty');
      return { audio: target, ...others };
    },
  };
}

/**
 * Parses a podcast feed. An episode that repeats the guid of another one with other content is reported as failed.
 *
 * @param downloader - downloads the files of the episodes when they are fetched
 * @throws ContentError when the feed is invalid.
 */
export function parseFeed(bytes: Buffer, downloader: Downloader): RecordingList {
  const { channel, items } = parseXml(decodeXml(bytes));
  const sourcePrefix = toSourcePrefix(channel);
  const recordings = new Map<string, Recording>();
  const failed: RecordingList['failed'] = [];
  for (const recording of items.map((item) => toRecording(channel, sourcePrefix, item, downloader))) {
    const existing = recordings.get(recording.source);
    if (!existing) recordings.set(recording.source, recording);
    else if (existing.stamp !== recording.stamp)
      failed.push({ name: recording.name, reason: `has the guid of ${existing.name}` });
  }
  return { recordings: [...recordings.values()], sourcePrefix, failed };
}
