/** The worker of a version that waits becomes the page's; the page loads again with it. */
export function takeVersion(waiting: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  waiting.postMessage({ type: 'SKIP_WAITING' });
}

/** A version that came during an earlier visit is taken now, before there is anything to lose. Call it at the start. */
export async function takeWaitingVersion(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.waiting) takeVersion(registration.waiting);
}
