import { setTimeout as wait } from 'node:timers/promises';
import { api, type Preview } from '@escucho/contracts';
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
  es: 'Aprende un idioma escuchando: artículos narrados, audiolibros y libros ilustrados.',
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');

/** Renders title, description and Open Graph tags (https://ogp.me) of a page. */
function renderTags({ path, title, description, image, language, type }: SharedPage, origin: string): string {
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
  return `<title>${escapeHtml(name)}</title><meta name="description" content="${escapeHtml(description)}">${tags.join('')}`;
}

/** Returns the document of index.html with the tags of a page in place of its title and description. */
const insertTags = (html: string, tags: string): string =>
  html.replace(/<meta name="description"[^>]*>/, '').replace(/<title>[^<]*<\/title>/, () => tags);

/** Returns the document of index.html with the tags that all pages have. */
export const renderIndex = (html: string, language: Language, origin: string): string =>
  insertTags(
    html,
    renderTags(
      {
        path: '/',
        title: 'Escucho',
        description: descriptions[language],
        image: '/share.png',
        language,
        type: 'website',
      },
      origin,
    ),
  );

/** Returns the document of index.html with the tags of an article. */
export const renderArticleIndex = (html: string, preview: Preview, origin: string): string =>
  insertTags(
    html,
    renderTags(
      {
        path: `/articles/read/${preview._id}`,
        title: preview.title,
        description: preview.summary,
        image: preview.artwork,
        language: preview.language,
        type: 'article',
      },
      origin,
    ),
  );

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
    const response = await fetch(new URL(url, origin), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? response.json() : undefined;
  }

  return async (path, visitorAddress) => {
    const id = articlePath.exec(path)?.[1];
    if (id === undefined) return undefined;
    // Without the portal the page is shown all the same.
    const preview = requestPreview(id, visitorAddress).catch(() => undefined);
    const body = await Promise.race([preview, wait(TIMEOUT_MS, undefined, { ref: false })]);
    return api.visitors.findPreview.response.safeParse(body).data;
  };
}
