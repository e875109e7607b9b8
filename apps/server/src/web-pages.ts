import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import {
  type Encoding,
  getCookieLanguage,
  type Language,
  negotiateEncoding,
  negotiateLanguage,
} from '@escucho/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';

const pagesFile = z.object({
  pages: z.array(z.object({ path: z.string(), isIndexed: z.boolean() })),
  routes: z.array(z.string()),
});
const NOT_FOUND_PATH = '/not-found';

/** The build does not know the origin. */
const ORIGIN_PLACEHOLDER = /https:\/\/origin\.invalid/g;

/** Returns the language of a prerendered page: the one that the web app stored in a cookie, else by Accept-Language. */
export const choosePageLanguage = (headers: IncomingHttpHeaders): Language =>
  getCookieLanguage(headers.cookie) ?? negotiateLanguage(headers['accept-language']);

const compressors: Record<Encoding, (html: Buffer) => Buffer> = {
  // Nearly the size of level 11 in a tenth of its time.
  br: (html) => brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (html) => gzipSync(html),
};

/** A prerendered page in one language, with its compressed forms, which are made when they are first requested. */
interface PageDocument {
  /** As bytes: a string with a character outside Latin-1 takes twice the memory. */
  html: Buffer;
  compressed: Map<Encoding, Buffer>;
}

/** A prerendered page by language. */
export type Page = Readonly<Record<Language, PageDocument>>;

/** Creates a page from what renders it in a language. */
export function createPage(render: (language: Language) => string): Page {
  const toDocument = (language: Language): PageDocument => ({
    html: Buffer.from(render(language)),
    compressed: new Map(),
  });
  return { en: toDocument('en'), es: toDocument('es') };
}

function compress({ html, compressed }: PageDocument, encoding: Encoding): Buffer {
  const bytes = compressed.get(encoding) ?? compressors[encoding](html);
  compressed.set(encoding, bytes);
  return bytes;
}

/** The headers of a document, which depends on the visitor's language. */
export const documentHeaders = {
  'cache-control': 'no-cache',
  'content-type': 'text/html; charset=utf-8',
  vary: 'accept-language, cookie, accept-encoding',
};

/** Sends a prerendered page in the visitor's language. */
export function sendPage(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = choosePageLanguage(request.headers);
  const document = page[language];
  void reply.headers({ ...documentHeaders, 'content-language': language });
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  return encoding
    ? reply.header('content-encoding', encoding).send(compress(document, encoding))
    : reply.send(document.html);
}

interface Pages {
  /** Returns the page of a path, in any case and with or without a slash at its end. */
  find: (path: string) => Page | undefined;
  /** The page for paths that neither it nor the app has, to be sent with status 404; undefined for a path that one has. */
  findNotFound: (path: string) => Page | undefined;
  /** The URLs that search engines list. */
  indexed: readonly string[];
}

/** Reads index.html in every language; null without a build. */
export async function readIndex(directory: string): Promise<Readonly<Record<Language, string>> | null> {
  const read = (file: string) => readFile(join(directory, file), 'utf8');
  try {
    return { en: await read('index.html'), es: await read('pages/es/index.html') };
  } catch {
    return null;
  }
}

/**
 * Reads the prerendered pages of the web build; none without a build.
 *
 * @param origin of their canonical addresses
 */
export async function readPages(directory: string, origin: string): Promise<Pages> {
  const file = await readFile(join(directory, 'pages.json'), 'utf8').catch(() => '{"pages":[],"routes":[]}');
  const pages = new Map<string, Page>();
  const list = pagesFile.parse(JSON.parse(file));
  const routes = list.routes.map((source) => new RegExp(source, 'i'));
  for (const { path } of list.pages) {
    const read = (language: Language) => readFile(join(directory, 'pages', language, `${path}.html`), 'utf8');
    const texts: Record<Language, string> = { en: await read('en'), es: await read('es') };
    pages.set(
      path,
      createPage((language) => texts[language].replace(ORIGIN_PLACEHOLDER, () => origin)),
    );
  }
  const notFound = pages.get(NOT_FOUND_PATH);
  pages.delete(NOT_FOUND_PATH);
  return {
    findNotFound: (path) => (routes.some((route) => route.test(path)) ? undefined : notFound),
    find(path) {
      const key = path.toLowerCase().replace(/(?<=.)\/$/, '');
      // Sign-in is what signed-out visitors of /auth are redirected to (ROUTE-01).
      return pages.get(key === '/auth' ? '/auth/sign-in' : key);
    },
    indexed: list.pages.filter(({ isIndexed }) => isIndexed).map(({ path }) => origin + path),
  };
}

/** Registers robots.txt (RFC 9309) and sitemap.xml. */
export function registerCrawlerFiles(app: FastifyInstance, origin: string, urls: readonly string[]): void {
  const robots = `User-agent: *\nDisallow:\n\nSitemap: ${origin}/sitemap.xml\n`;
  const locations = urls.map((url) => `  <url><loc>${url}</loc></url>\n`).join('');
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations}</urlset>\n`;
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(robots),
  );
  app.get('/sitemap.xml', { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(sitemap),
  );
}
