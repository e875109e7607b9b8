import { createRoot } from 'react-dom/client';
import './app/app.css';
import { createApp } from './app/create-app.tsx';
import { IS_PRODUCTION } from './shared/config.ts';
import { prefetchLazyImports } from './shared/lazy.ts';

/** By then the page's own pictures have come; the code of the other pages is fetched, in milliseconds after the start. */
const calm = 10_000;

/** Keeps the app for a start without a network. Where there is none by now, the next start does. */
async function keep(): Promise<void> {
  const { keepApp } = await import('./app/shell/keep-app.ts');
  await keepApp();
}

/** The page that came with the HTML stays until the first page's code is there: nothing above it catches the wait. */
async function start(root: HTMLElement): Promise<void> {
  const { app } = await createApp((address) => location.replace(address));
  createRoot(root).render(app);
  setTimeout(() => {
    prefetchLazyImports();
    if (IS_PRODUCTION) keep().catch(() => undefined);
  }, calm);
}

const root = document.getElementById('root');
if (root) void start(root);
