import { api, type Preview } from '@escucho/contracts';
import { resolveWithin } from '@escucho/database';
import type { Language } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';

/** A page waits no longer for the preview of its article. */
const TIMEOUT_MS = 2000;

/** What messengers and search engines show of a page. `image` may be relative to the origin. */
interface SharedPage {
  path: string;
  title: string;
  description: string;
  image: string;
  language: Language;
  type: 'website' | 'article';
}

const descriptions: Record<Language, string> = {
  en: 'Learn a language by listening: narrated articles, audiobooks and visual books.',
  es: 'Aprende un idioma escuchando: artículos narrados, audiolibros y libros visuales.',
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');

/** Returns the document of index.html with the title, description and Open Graph tags (https://ogp.me) of a page. */
function insertTags(html: string, page: SharedPage, origin: string): string {
  const { path, title, description, image, language, type } = page;
  const properties = {
    'og:site_name': 'Escucho',
    'og:type': type,
    'og:title': title,
    'og:description': description,
    'og:image': new URL(image, origin).href,
    'og:url': new URL(path, origin).href,
    'og:locale': language === 'es' ? 'es_ES' : 'en_GB',
    'twitter:card': type === 'website' ? 'summary_large_image' : 'summary',
  };
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`,
  );
  const name = title === 'Escucho' ? title : `${title} · Escucho`;
  const head = `<title>${escapeHtml(name)}</title><meta name="description" content="${escapeHtml(description)}">${tags.join('')}`;
  return html.replace(/<meta name="description"[^>]*>/, '').replace(/<title>[^<]*<\/title>/, () => head);
}

/** Returns the document of index.html with the tags that all pages have. */
export function renderIndex(html: string, language: Language, origin: string): string {
  const description = descriptions[language];
  const page = { path: '/', title: 'Escucho', description, image: '/share.png', language };
  return insertTags(html, { ...page, type: 'website' }, origin);
}

/** Returns the document of index.html with the tags of an article. */
export function renderArticleIndex(html: string, preview: Preview, origin: string): string {
  const { _id: id, title, summary: description, artwork: image, language } = preview;
  const path = `/articles/read/${id}`;
  return insertTags(html, { path, title, description, image, language, type: 'article' }, origin);
}

/** Finds the preview of the article at a path; undefined where the path is not an article's, or nothing is known of it. */
export type FindSharedArticle = (path: string, visitorAddress: string) => Promise<Preview | undefined>;

const articlePath = /^\/articles\/read\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i;

interface SharedArticleDeps {
  /** The app that serves the portal; undefined where another process does. */
  portal: Pick<FastifyInstance, 'inject'> | undefined;
  origin: string;
}

/** Creates a function that asks the portal for the preview of the article at a path. */
export function createSharedArticles({ portal, origin }: SharedArticleDeps): FindSharedArticle {
  async function requestPreview(id: string, visitorAddress: string): Promise<unknown> {
    const url = `/api/catalogue/preview/${id}`;
    if (portal) {
      const response = await portal.inject({ url, remoteAddress: visitorAddress });
      return response.statusCode === 200 ? response.json() : undefined;
    }
    // The portal limits requests by the address of the visitor, where it trusts this process as a proxy.
    const headers = { 'x-forwarded-for': visitorAddress };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(new URL(url, origin), { headers, signal });
    return response.ok ? response.json() : undefined;
  }

  return async (path, visitorAddress) => {
    const id = articlePath.exec(path)?.[1];
    if (id === undefined) return undefined;
    // Without the portal the page is shown all the same.
    const body = await resolveWithin(TIMEOUT_MS, requestPreview(id, visitorAddress), undefined);
    return api.visitors.findPreview.response.safeParse(body).data;
  };
}
