import { clientsClaim } from 'workbox-core';
import { createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NetworkFirst } from 'workbox-strategies';

declare const self: ServiceWorkerGlobalScope;
/** The build's files; one without a revision has its hash in its name. */
declare const FILES: { url: string; revision: string | null }[];
/** Beginnings of addresses that services answer, not the web app. */
declare const SERVICES: readonly string[];

// The app itself, kept whole: it starts without a network. Audio that is taken along would get a route of its own below.
precacheAndRoute(FILES);
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: SERVICES.map((address) => new RegExp(`^${address}(/|\\?|$)`)),
  }),
);
registerRoute('/config.json', new NetworkFirst({ cacheName: 'config', networkTimeoutSeconds: 5 }));

// A new version waits until a page says that nothing is lost by it: see app/shell/new-version.ts.
self.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting();
});
clientsClaim();
