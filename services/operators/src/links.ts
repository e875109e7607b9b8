import { createHmac, randomBytes } from 'node:crypto';
import type { Platform } from '@escucho/contracts';
import * as z from 'zod/mini';
import type { Subscriber } from './subscribers.ts';

/** How long a token is good, in seconds. */
const life = 300;

const inside = z.object({ platform: z.string(), msisdn: z.string(), ends: z.number() });

const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000);
const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url');
const nonce = () => randomBytes(18).toString('base64url');

/** The proof of a number, as docs/operations.md tells operators to make it. */
function proofOf(secret: string, { platform, msisdn }: Subscriber, now: Date): string {
  const stamp = `${seconds(now)}.${nonce()}`;
  return `${stamp}.${sign(secret, `escucho-link-1\n${platform}\n${msisdn}\n${stamp}`)}`;
}

/** A token that only this operator reads: whom it stands for, and until when. */
function tokenOf(secret: string, { platform, msisdn }: Subscriber, now: Date): string {
  const said = { platform, msisdn, ends: seconds(now) + life, nonce: nonce() };
  const text = Buffer.from(JSON.stringify(said)).toString('base64url');
  return `${text}.${sign(secret, `token\n${text}`)}`;
}

/** Whose number a token stands for; nothing for one that is not this operator's, or has ended. */
export function numberIn(
  token: string,
  { secret, platform, now }: { secret: string; platform: Platform; now: Date },
): string | undefined {
  const [text = '', signature] = token.split('.');
  if (signature !== sign(secret, `token\n${text}`)) return undefined;
  const said = inside.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return said.platform === platform && said.ends > seconds(now) ? said.msisdn : undefined;
}

/** The query of a link into Escucho for a subscriber, as the operator makes it when the subscriber asks (EXT-01). */
export function queryOf(subscriber: Subscriber, secret: string, now: Date): URLSearchParams {
  const { platform, msisdn } = subscriber;
  switch (platform) {
    case 'entel':
      return new URLSearchParams({ msfw: tokenOf(secret, subscriber, now) });
    case 'cnt':
      return new URLSearchParams({ cntToken: tokenOf(secret, subscriber, now), msisdn });
    case 'antel':
      return new URLSearchParams({ source: 'antel', msisdn, proof: proofOf(secret, subscriber, now) });
    case 'bitel':
      return new URLSearchParams({ msisdn, proof: proofOf(secret, subscriber, now) });
  }
}
