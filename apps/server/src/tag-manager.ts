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
  const policy = [
    `default-src 'none'`,
    `script-src ${startHash} ${origin}`,
    `connect-src ${origin}`,
    `img-src ${origin}`,
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
