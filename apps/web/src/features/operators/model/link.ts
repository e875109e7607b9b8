import type { OperatorLink } from '@escucho/contracts';

/**
 * Which operator a link comes from, and what it holds (EXT-01). In: the query, from anybody. Out: what the portal is
 * asked with; null where no operator can be told (EXT-02).
 */
export function linkOf(query: URLSearchParams): OperatorLink | null {
  const [msfw, cntToken, msisdn] = ['msfw', 'cntToken', 'msisdn'].map((name) => query.get(name) || null);
  const proof = query.get('proof') || undefined;
  if (msfw) return { platform: 'entel', msfw };
  if (cntToken && msisdn) return { platform: 'cnt', cntToken, msisdn };
  if (!msisdn || cntToken) return null;
  return query.get('source') === 'antel'
    ? { platform: 'antel', source: 'antel', msisdn, proof }
    : { platform: 'bitel', msisdn, proof };
}

/** Whether a browser is one of Android's, where the reader is asked first (EXT-03). */
export const isAndroid = (userAgent: string): boolean => /\bandroid\b/i.test(userAgent);
