declare global {
  interface Window {
    /** Answers the boot script in index.html began to fetch before any module ran, by address. */
    __early?: Record<string, Promise<Response>>;
  }
}

/** The answer that the boot script began for an address; each is handed out once. */
export function takeEarly(address: string): Promise<Response> | null {
  const early = window.__early?.[address];
  if (!early) return null;
  delete window.__early?.[address];
  return early;
}
