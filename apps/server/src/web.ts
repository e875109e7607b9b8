import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';

const cspFile = z.object({ scripts: z.array(z.string()), styles: z.array(z.string()) });
type Hashes = z.infer<typeof cspFile>;

/** Where the web build lies, the origins its pages may call beside their own, the addresses that are not the web's, those of pages that load the tag manager, and whether cards are taken by Stripe. */
export interface WebOptions {
  directory: string;
  connectTo: readonly string[];
  secure: boolean;
  reserved: readonly string[];
  tagged: readonly string[];
  takesCards: boolean;
}

/** Where the tag manager's script, its pixel and what it reports live. */
const tagManager = 'https://www.googletagmanager.com';

/** What Stripe's card form loads, frames and calls (BUY-06). */
const cards = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  calls: ['https://api.stripe.com'],
};

async function filesOf(directory: string): Promise<Set<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Set(paths.map((path) => path.slice(directory.length).split(sep).join('/')));
}

async function hashesOf(directory: string): Promise<Hashes> {
  const text = await readFile(join(directory, 'csp.json'), 'utf8').catch(() => '{"scripts":[],"styles":[]}');
  return cspFile.parse(JSON.parse(text));
}

function policyOf(hashes: Hashes, options: WebOptions, others: readonly string[]) {
  const { connectTo, secure, takesCards } = options;
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...hashes.scripts, ...others, ...(takesCards ? cards.scripts : [])],
      styleSrc: ["'self'", ...hashes.styles],
      connectSrc: ["'self'", ...connectTo, ...others, ...(takesCards ? cards.calls : [])],
      imgSrc: ["'self'", 'data:', ...others],
      mediaSrc: ["'self'", 'blob:'],
      fontSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      ...(takesCards && { frameSrc: cards.frames }),
      frameAncestors: ["'none'"],
      ...(secure && { upgradeInsecureRequests: [] }),
    },
  };
}

/**
 * The service worker, if there is one. It keeps the page with its headers, so the policy is part of what makes the page
 * another one. In: the build's folder, the policy.
 */
async function workerOf(directory: string, policy: object): Promise<string | null> {
  const code = await readFile(join(directory, 'sw.js'), 'utf8').catch(() => null);
  const mark = createHash('sha256').update(JSON.stringify(policy)).digest('hex').slice(0, 16);
  return code?.replace('-POLICY', `-${mark}`) ?? null;
}

/** Files that are not there, as crawlers and guessers ask for (/robots.txt, /.env): no page of the app is named so. */
const isNoPage = (path: string) =>
  path.startsWith('/assets/') || (/^\/[^/]*\.[^/]*$/.test(path) && path !== '/index.html');

/** Serves the web app: its files for a year (their names carry a hash), its page for every other address that is not reserved. */
export async function registerWeb(app: FastifyInstance, options: WebOptions): Promise<void> {
  const { directory, reserved, secure, tagged } = options;
  const files = await filesOf(directory);
  const hashes = await hashesOf(directory);
  const policy = policyOf(hashes, options, []);
  const worker = await workerOf(directory, policy);
  await app.register(helmet, {
    contentSecurityPolicy: policy,
    // Other names below ours are somebody else's to decide.
    strictTransportSecurity: secure && { includeSubDomains: false },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  // Nothing of ours, nor what is embedded in it, looks, listens or asks where the reader is.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
  });
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

  // Where browsers look for an icon of pages that name none, such as those that services make.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) => reply.redirect('/favicon.svg'));

  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (reserved.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))
      return reply.callNotFound();
    if (files.has(path) && path !== '/index.html' && path !== '/csp.json') {
      const forever = path.startsWith('/assets/');
      reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      return reply.sendFile(path);
    }
    if (isNoPage(path) || !files.has('/index.html')) return reply.callNotFound();
    reply.header('cache-control', 'no-cache');
    return reply.sendFile('index.html');
  };
  app.get('/*', { schema: { hide: true } }, answer);
  const helmetOfTagged = { contentSecurityPolicy: policyOf(hashes, options, [tagManager]) };
  for (const path of tagged) app.get(path, { schema: { hide: true }, helmet: helmetOfTagged }, answer);
}
