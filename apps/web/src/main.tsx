import { createRoot } from 'react-dom/client';
import './app/app.css';
import { createApp } from './app/create-app.tsx';
import { IS_PRODUCTION } from './shared/config.ts';
import { prefetchLazyImports } from './shared/lazy.ts';

/** The code of the other pages is fetched after the first page's own requests and images. */
const IDLE_DELAY_MS = 10_000;

async function enableOfflineUse(): Promise<void> {
  const { registerServiceWorker: keepApp } = await import('./app/shell/register-service-worker.ts');
  await keepApp();
}

/** The skeleton of index.html is shown until the first page's code is loaded: no Suspense boundary is above it. */
async function start(root: HTMLElement): Promise<void> {
  const { app } = await createApp((url) => location.replace(url));
  createRoot(root).render(app);
  setTimeout(() => {
    prefetchLazyImports();
    // After a failure, the next visit tries again.
    if (IS_PRODUCTION) enableOfflineUse().catch(() => undefined);
  }, IDLE_DELAY_MS);
}

const root = document.getElementById('root');
if (root) void start(root);
