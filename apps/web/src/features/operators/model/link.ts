import type { OperatorLink } from '@escucho/contracts';

/** Returns the operator and the parameters of an operator's link (EXT-01); null if it belongs to no operator (EXT-02). */
export function parseOperatorLink(query: URLSearchParams): OperatorLink | null {
  const [msfw, cntToken, msisdn] = ['msfw', 'cntToken', 'msisdn'].map((name) => query.get(name) || null);
  const proof = query.get('proof') || undefined;
  if (msfw) return { platform: 'entel', msfw };
  if (cntToken && msisdn) return { platform: 'cnt', cntToken, msisdn };
  if (!msisdn || cntToken) return null;
  return query.get('source') === 'antel'
    ? { platform: 'antel', source: 'antel', msisdn, proof }
    : { platform: 'bitel', msisdn, proof };
}

/** Returns whether a user agent is on Android, where signing in needs a confirmation (EXT-03). */
export const isAndroid = (userAgent: string): boolean => /\bandroid\b/i.test(userAgent);
