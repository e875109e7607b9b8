import { activateUpdate } from '#boot/app-update.ts';
import { getT, loadNamespace } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.tsx';

/** A page may stay open for days. */
const UPDATE_CHECK_INTERVAL_MS = 60 * 60 * 1000;

/** Offers a version in a toast, which is shown for seconds: in a hidden tab once it is visible. */
async function offerUpdate(waiting: ServiceWorker): Promise<void> {
  await loadNamespace('auth');
  if (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  const t = getT();
  const action = { label: t('pages.update'), run: () => activateUpdate(waiting) };
  toast(t('pages.newVersion'), 'message', 'top-right', action);
}

/** Offers a version once it is installed, unless it is the first one. */
function offerWhenInstalled(worker: ServiceWorker | null): void {
  const offer = () => {
    if (worker?.state === 'installed' && navigator.serviceWorker.controller) void offerUpdate(worker);
  };
  offer();
  worker?.addEventListener('statechange', offer);
}

/**
 * Registers the service worker, which caches the app for starts without a network, and checks for new versions. A version
 * that is installed while the page is open is offered in a toast, so that playback and input are not interrupted.
 */
export async function registerServiceWorker(): Promise<void> {
  // Unavailable on insecure origins; some browser settings make the registration fail.
  const registration = await navigator.serviceWorker?.register('/sw.js').catch(() => null);
  if (!registration) return;
  // The browser checks for a new version when the page is opened.
  offerWhenInstalled(registration.waiting);
  offerWhenInstalled(registration.installing);
  registration.addEventListener('updatefound', () => offerWhenInstalled(registration.installing));
  setInterval(() => registration.update().catch(() => undefined), UPDATE_CHECK_INTERVAL_MS);
}
