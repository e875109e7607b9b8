import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { TAG_MANAGER_PATH } from '@escucho/contracts';
import { sendError } from '@escucho/service-kit';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import * as z from 'zod/mini';
import { type FindSharedArticle, renderArticleIndex, renderIndex } from './share-tags.ts';
import {
  choosePageLanguage,
  createPage,
  documentHeaders,
  readIndex,
  readPages,
  registerCrawlerFiles,
  sendPage,
} from './web-pages.ts';

const cspFile = z.object({ scripts: z.array(z.string()), styles: z.array(z.string()) });
type Hashes = z.infer<typeof cspFile>;

/** Path prefixes of services, under which the web app serves nothing. */
const reservedPrefixes = [
  '/api',
  '/identity',
  '/billing',
  '/operators',
  '/outbox',
  '/media',
  '/health',
  '/metrics',
  '/status',
  '/config.json',
];

/**
 * Options of the web app: the folder of its build, further origins it may call, the container of the tag manager, if any, and
 * whether Stripe takes cards.
 */
interface WebOptions {
  directory: string;
  connectSources: readonly string[];
  tagManagerId: string | undefined;
  usesStripe: boolean;
  /** False for the security headers only, where other processes serve the web app. */
  servesPages: boolean;
  /** The origin of PUBLIC_URL: of prerendered pages, and with https of secure connections only. */
  origin: string;
  findSharedArticle: FindSharedArticle;
}

/** Sources that Stripe's card form uses (BUY-06). */
const cards = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  calls: ['https://api.stripe.com'],
};

async function listFiles(directory: string): Promise<Set<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Set(paths.map((path) => path.slice(directory.length).split(sep).join('/')));
}

async function readHashes(directory: string): Promise<Hashes> {
  const text = await readFile(join(directory, 'csp.json'), 'utf8').catch(() => '{"scripts":[],"styles":[]}');
  return cspFile.parse(JSON.parse(text));
}

const isSecure = (origin: string) => origin.startsWith('https:');

function createContentSecurityPolicy(hashes: Hashes, options: WebOptions) {
  const { connectSources, origin, tagManagerId, usesStripe } = options;
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...hashes.scripts, ...(usesStripe ? cards.scripts : [])],
      styleSrc: ["'self'", ...hashes.styles],
      connectSrc: ["'self'", ...connectSources, ...(usesStripe ? cards.calls : [])],
      imgSrc: ["'self'", 'data:'],
      mediaSrc: ["'self'", 'blob:'],
      fontSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      // Without a directive of their own, frames are subject to `default-src`. The tag manager's has the origin of the app.
      ...(usesStripe && { frameSrc: [...(tagManagerId === undefined ? [] : ["'self'"]), ...cards.frames] }),
      frameAncestors: ["'none'"],
      ...(isSecure(origin) && { upgradeInsecureRequests: [] }),
    },
  };
}

/**
 * Returns the service worker, if there is one. It caches pages with their headers, so a hash of the policy is part of the
 * cache's version.
 */
async function readServiceWorker(directory: string, policy: object): Promise<string | null> {
  const code = await readFile(join(directory, 'sw.js'), 'utf8').catch(() => null);
  const policyHash = createHash('sha256').update(JSON.stringify(policy)).digest('hex').slice(0, 16);
  return code?.replaceAll('-POLICY', `-${policyHash}`) ?? null;
}

/** Returns whether a path looks like a file (/.env), unlike the paths of pages. */
const isFilePath = (path: string) =>
  path.startsWith('/assets/') ||
  (path.lastIndexOf('/') === 0 && path.includes('.') && path !== '/index.html');

/** Returns whether a file is what the server makes its responses of, and not one of them. */
const isBuildData = (path: string) => /^\/(index\.html|csp\.json|pages\.json|pages\/)/.test(path);

const tagManagerOrigin = 'https://www.googletagmanager.com';
const startScript = `window.dataLayer=[{'gtm.start':Date.now(),event:'gtm.js'}]`;
const startHash = `'sha256-${createHash('sha256').update(startScript).digest('base64')}'`;

/**
 * Registers the page that loads the tag manager (EXT-04), which the web app shows in a frame. The directive `sandbox` gives
 * the page an opaque origin, also where it is opened by itself: its scripts reach no storage, cookies or pages of the product.
 */
function registerTagManager(app: FastifyInstance, containerId: string): void {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tag manager</title>
<script>${startScript}</script>
<script async src="${tagManagerOrigin}/gtm.js?id=${encodeURIComponent(containerId)}"></script>
</head>
</html>
`;
  const policy = [
    `default-src 'none'`,
    `script-src ${startHash} ${tagManagerOrigin}`,
    `connect-src ${tagManagerOrigin}`,
    `img-src ${tagManagerOrigin}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'self'`,
    'sandbox allow-scripts',
  ];
  const headers = {
    'content-security-policy': policy.join(';'),
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  app.get(TAG_MANAGER_PATH, { schema: { hide: true } }, (_request, reply) =>
    reply.headers(headers).type('text/html; charset=utf-8').send(page),
  );
}

/** Serves the web app: hashed files with a lifetime of a year, prerendered pages, and index.html for every other path outside
 * `reservedPrefixes`. */
export async function registerWeb(app: FastifyInstance, options: WebOptions): Promise<void> {
  const { directory, servesPages, origin, tagManagerId, findSharedArticle } = options;
  const files = await listFiles(directory);
  const pages = await readPages(directory, origin);
  const index = await readIndex(directory);
  const hashes = await readHashes(directory);
  const policy = createContentSecurityPolicy(hashes, options);
  const worker = await readServiceWorker(directory, policy);
  // Not @fastify/helmet, which builds all headers again for each request.
  const setSecurityHeaders = helmet({
    contentSecurityPolicy: policy,
    // Subdomains may belong to other applications.
    strictTransportSecurity: isSecure(origin) && { includeSubDomains: false },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  app.headerSetters.push((request, reply) => {
    // Neither the app nor embedded frames use camera, microphone or location.
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
    setSecurityHeaders(request.raw, reply.raw, () => {});
  });
  if (!servesPages) return;
  await app.register(fastifyStatic, {
    root: directory,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
  });
  app.get('/sw.js', { schema: { hide: true } }, (_request, reply) => {
    if (worker === null) return reply.callNotFound();
    return reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(worker);
  });

  // Browsers request it for pages that declare no icon, such as the services' pages.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) => reply.redirect('/favicon.svg'));

  // Where password managers send their users (https://www.w3.org/TR/change-password-url/, passkey-endpoints/).
  app.get('/.well-known/change-password', { schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/settings/profile'),
  );
  const passkeySettings = `${origin}/settings/security`;
  app.get('/.well-known/passkey-endpoints', { schema: { hide: true } }, () => ({
    enroll: passkeySettings,
    manage: passkeySettings,
  }));

  const indexPage =
    index === null ? undefined : createPage((language) => renderIndex(index[language], language, origin));

  registerCrawlerFiles(app, origin, pages.indexed);
  if (tagManagerId !== undefined) registerTagManager(app, tagManagerId);

  const getPath = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '/';
  const isReserved = (path: string) =>
    reservedPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

  // The search for “%” has an address that is malformed where it was typed.
  app.urlErrorResponders.set('', (error, request, reply) => {
    const path = getPath(request);
    if (isReserved(path) || !indexPage) return sendError(error, request, reply);
    const notFound = pages.findNotFound(path);
    return notFound ? sendPage(notFound, request, reply.code(404)) : sendPage(indexPage, request, reply);
  });

  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const path = getPath(request);
    if (isReserved(path)) return reply.callNotFound();
    const page = pages.find(path);
    if (page) return sendPage(page, request, reply);
    if (files.has(path) && !isBuildData(path)) {
      const forever = path.startsWith('/assets/');
      reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      return reply.header('vary', 'accept-encoding').sendFile(path);
    }
    if (isFilePath(path) || index === null || !indexPage) return reply.callNotFound();
    // The service worker caches index.html.
    const notFound = path === '/index.html' ? undefined : pages.findNotFound(path);
    if (notFound) return sendPage(notFound, request, reply.code(404));
    const article = await findSharedArticle(path, request.ip);
    if (!article) return sendPage(indexPage, request, reply);
    return reply
      .headers(documentHeaders)
      .send(renderArticleIndex(index[choosePageLanguage(request.headers)], article, origin));
  });
}
