import { createHash } from 'node:crypto';
import { TAG_MANAGER_PATH } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';

const origin = 'https://www.googletagmanager.com';
const startScript = `window.dataLayer=[{'gtm.start':Date.now(),event:'gtm.js'}]`;
const startHash = `'sha256-${createHash('sha256').update(startScript).digest('base64')}'`;

/**
 * Registers the page that loads the tag manager (EXT-04), which the web app shows in a frame. The directive `sandbox` gives
 * the page an opaque origin, also where it is opened by itself: its scripts reach no storage, cookies or pages of the product.
 */
export function registerTagManager(app: FastifyInstance, containerId: string): void {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tag manager</title>
<script>${startScript}</script>
<script async src="${origin}/gtm.js?id=${encodeURIComponent(containerId)}"></script>
</head>
</html>
`;
  const helmet = {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [startHash, origin],
        connectSrc: [origin],
        imgSrc: [origin],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'self'"],
        sandbox: ['allow-scripts'],
      },
    },
    xFrameOptions: { action: 'sameorigin' as const },
    referrerPolicy: { policy: 'no-referrer' as const },
  };
  app.get(TAG_MANAGER_PATH, { schema: { hide: true }, helmet }, (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page),
  );
}
