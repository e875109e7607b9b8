import { createHmac, timingSafeEqual } from 'node:crypto';

/** An address that leads to the portal is good for so many seconds. */
const GOOD_FOR = 3600;

/** The key that addresses are signed with. In: the secret key of this installation, of ref it tells nothing. */
export const derivePortalKey = (secret: string): Buffer =>
  createHmac('sha256', secret).update('customer portal').digest();

const macOf = (key: Buffer, named: string) => createHmac('sha256', key).update(named).digest('base64url');

/** Lets whoever has it into the portal as a subscriber, for an hour. In: the subscriber's id, ref names nobody outside. */
export function createPortalToken(key: Buffer, subscriber: string, now: Date): string {
  const named = `${subscriber}.${Math.floor(now.getTime() / 1000) + GOOD_FOR}`;
  return `${named}.${macOf(key, named)}`;
}

/** Whom a token lets in. In: whatever came. Out: the subscriber's id; nothing where it is not ours, or too old. */
export function verifyPortalToken(key: Buffer, token: string, now: Date): string | undefined {
  const [, named = '', subscriber, until, mac = ''] =
    /^(([0-9a-f-]{36})\.(\d{1,12}))\.([\w-]{43})$/.exec(token) ?? [];
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(key, named))];
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs && Number(until) * 1000 > now.getTime() ? subscriber : undefined;
}
