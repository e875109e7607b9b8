declare global {
  interface Window {
    dataLayer?: object[];
  }
}

const address = 'https://www.googletagmanager.com/gtm.js';

/** Loads the tag manager, once (EXT-04). In: the container's id. The address bar must hold nothing that is not for it. */
export function loadTagManager(container: string): void {
  if (window.dataLayer) return;
  window.dataLayer = [{ 'gtm.start': Date.now(), event: 'gtm.js' }];
  const script = document.createElement('script');
  script.async = true;
  script.src = `${address}?id=${encodeURIComponent(container)}`;
  document.head.append(script);
}
