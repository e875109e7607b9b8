import { clientsClaim } from 'workbox-core';
import { createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NetworkFirst } from 'workbox-strategies';

declare const self: ServiceWorkerGlobalScope;
/** Both are defined at build time (vite/plugins.ts). */
declare const PRECACHE_ENTRIES: { url: string; revision: string | null }[];
declare const NAVIGATION_DENYLIST: readonly string[];
/** Static routing is not in TypeScript's library, nor in every browser. */
interface InstallEvent extends ExtendableEvent {
  addRoutes?: (rules: { condition: RouterCondition; source: 'network' }[]) => Promise<void>;
}
type RouterCondition = { urlPattern: string } | { requestDestination: RequestDestination };

// The whole app is precached, so that it starts without a network. The code of a page reads its parameters.
precacheAndRoute(PRECACHE_ENTRIES, { ignoreURLParametersMatching: [/./] });
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: NAVIGATION_DENYLIST.map((prefix) => new RegExp(`^${prefix}(/|\\?|$)`)),
  }),
);
registerRoute('/config.json', new NetworkFirst({ cacheName: 'config', networkTimeoutSeconds: 5 }));

// The worker does not answer these: the browser sends them at once, without starting the worker first.
const networkConditions: RouterCondition[] = [
  { urlPattern: '/api/*' },
  { urlPattern: '/media/*' },
  { requestDestination: 'audio' },
];
self.addEventListener('install', (event: InstallEvent) => {
  const rules = networkConditions.map((condition) => ({ condition, source: 'network' as const }));
  if (event.addRoutes) event.waitUntil(event.addRoutes(rules));
});

// A new version waits until the user accepts it: see boot/app-update.ts.
self.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting();
});
clientsClaim();
