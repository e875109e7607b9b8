import { createHmac, timingSafeEqual } from 'node:crypto';

/** A signature is good for so many seconds: what was overheard is of no use later. */
const MAX_AGE_SECONDS = 300;

const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);

/** How an event says who sent it: our provider signs it, RevenueCat bears the secret. */
export interface EventSignature {
  /** `t=<seconds since 1970>,v1=<HMAC-SHA256 of "t.body", in hex>` */
  signature: unknown;
  authorization: unknown;
}

/** Whether an event comes from whoever has the secret. In: its body as it came, the time. */
export function isSignatureValid(
  secret: string,
  body: string,
  { signature, authorization }: EventSignature,
  now: Date,
): boolean {
  if (typeof signature === 'string') {
    const [, seconds = '', mac = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    const age = Math.abs(now.getTime() / 1000 - Number(seconds));
    const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest();
    return mac !== '' && age <= MAX_AGE_SECONDS && isEqual(Buffer.from(mac, 'hex'), expected);
  }
  if (typeof authorization !== 'string') return false;
  return isEqual(Buffer.from(authorization), Buffer.from(`Bearer ${secret}`));
}
