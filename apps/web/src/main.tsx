import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import './app/app.css';
import { createApp } from './app/create-app.tsx';
import { languages } from './shared/choices.ts';
import { IDLE_DELAY_MS, IS_PRODUCTION } from './shared/config.ts';
import { prefetchLazyImports } from './shared/lazy.ts';

async function enableOfflineUse(): Promise<void> {
  const { registerServiceWorker } = await import('./app/shell/register-service-worker.ts');
  await registerServiceWorker();
}

/**
 * Hydrates a prerendered page, or renders the page. What the document shows stays until the page's code is loaded: no
 * Suspense boundary is above it.
 */
async function start(root: HTMLElement): Promise<void> {
  const { dataset, lang } = document.documentElement;
  const prerendered = languages.find((language) => dataset.page && language === lang) ?? null;
  const { app } = await createApp((url) => location.replace(url), prerendered);
  // In short tasks, between which the browser answers input.
  startTransition(() => {
    if (prerendered) hydrateRoot(root, app);
    else createRoot(root).render(app);
  });
  setTimeout(() => {
    prefetchLazyImports();
    // After a failure, the next visit tries again.
    if (IS_PRODUCTION) enableOfflineUse().catch(() => undefined);
  }, IDLE_DELAY_MS);
}

const root = document.getElementById('root');
if (root && document.documentElement.dataset.boot !== 'leaving') void start(root);
