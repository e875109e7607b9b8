/** Activates a waiting service worker and reloads the page with its version. */
export function activateUpdate(waiting: ServiceWorker): void {
  // Another tab has activated it, or a newer one has replaced it, which the boot script activates.
  if (waiting.state !== 'installed') {
    location.reload();
    return;
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  waiting.postMessage({ type: 'SKIP_WAITING' });
}

/** Activates an update that an earlier visit downloaded. Call it at the start, before there is any state to lose. */
export async function activateWaitingUpdate(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.waiting) activateUpdate(registration.waiting);
}
