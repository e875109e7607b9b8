import { activateUpdate } from '#boot/app-update.ts';
import { getT, loadNamespace } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.ts';

/** A page may stay open for days: how often it looks for a new version, in milliseconds. */
const lookEvery = 60 * 60 * 1000;

async function offer(waiting: ServiceWorker): Promise<void> {
  await loadNamespace('auth');
  const t = getT();
  const action = { label: t('pages.update'), run: () => activateUpdate(waiting) };
  toast(t('pages.newVersion'), 'message', 'top-right', action);
}

/**
 * Keeps the app's files for starts without a network, and looks for new versions. One that comes while the page is open
 * is offered: nothing that plays or is being typed is lost by it.
 */
export async function keepApp(): Promise<void> {
  // Only secure origins have it, and not where the browser forbids it.
  const registration = await navigator.serviceWorker?.register('/sw.js').catch(() => null);
  if (!registration) return;
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing;
    coming?.addEventListener('statechange', () => {
      if (coming.state === 'installed' && navigator.serviceWorker.controller) void offer(coming);
    });
  });
  setInterval(() => registration.update().catch(() => undefined), lookEvery);
}
