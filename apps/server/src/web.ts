import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';

const cspFile = z.object({ scripts: z.array(z.string()), styles: z.array(z.string()) });
type Hashes = z.infer<typeof cspFile>;

/**
 * Options of the web app: the folder of its build, further origins it may call, path prefixes of services, paths of pages
 * that load the tag manager, and whether Stripe takes cards.
 */
export interface WebOptions {
  directory: string;
  connectTo: readonly string[];
  secure: boolean;
  reserved: readonly string[];
  tagged: readonly string[];
  takesCards: boolean;
}

/** The origin of the tag manager's script and its requests. */
const tagManager = 'https://www.googletagmanager.com';

/** Sources that Stripe's card form uses (BUY-06). */
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
 * Returns the service worker, if there is one. It caches the page with its headers, so a hash of the policy is part of the
 * cache's version.
 */
async function workerOf(directory: string, policy: object): Promise<string | null> {
  const code = await readFile(join(directory, 'sw.js'), 'utf8').catch(() => null);
  const mark = createHash('sha256').update(JSON.stringify(policy)).digest('hex').slice(0, 16);
  return code?.replace('-POLICY', `-${mark}`) ?? null;
}

/** Tells whether a path looks like a file (/robots.txt, /.env), which no page of the app does. */
const isNoPage = (path: string) =>
  path.startsWith('/assets/') || (/^\/[^/]*\.[^/]*$/.test(path) && path !== '/index.html');

/** Serves the web app: hashed files for a year, and its page for every path that no service uses. */
export async function registerWeb(app: FastifyInstance, options: WebOptions): Promise<void> {
  const { directory, reserved, secure, tagged } = options;
  const files = await filesOf(directory);
  const hashes = await hashesOf(directory);
  const policy = policyOf(hashes, options, []);
  const worker = await workerOf(directory, policy);
  await app.register(helmet, {
    contentSecurityPolicy: policy,
    // Subdomains may belong to other applications.
    strictTransportSecurity: secure && { includeSubDomains: false },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  // Neither the app nor embedded frames use camera, microphone or location.
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

  // Browsers request it for pages without an icon of their own, such as the services' pages.
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
