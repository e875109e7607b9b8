import { createHmac, timingSafeEqual } from 'node:crypto';
import { audioExpiry, pictureExpiry } from './policy.ts';

/** Signs addresses of media. */
export interface Links {
  /** In: a picture's key. Out: its address for about a week. */
  picture(key: string): string;
  /** In: the audio's key and seconds. Out: its address while it may be played. Ask `mayPlay` first. */
  audio(key: string, duration: number): { url: string; expiresAt: Date };
}

// Lists name the same pictures again and again, and a signature costs as much as the rest of a track.
const REMEMBERED = 20_000;

const signatureOf = (secret: string, key: string, expires: string): string =>
  createHmac('sha256', secret).update(`${key}\n${expires}`).digest('base64url');

/** How media addresses are signed. */
export interface LinkOptions {
  secret: string;
  /** The address that the media plugin answers at, without a slash at the end. */
  baseUrl: string;
  /** How long an audio address lives, in seconds; otherwise as long as the track needs. */
  audioLife?: number | undefined;
}

/** In: how they are signed, and the clock. Out: what signs them. */
export function createLinks(options: LinkOptions & { clock: () => Date }): Links {
  const { secret, baseUrl, audioLife, clock } = options;
  const remembered = new Map<string, string>();
  function addressOf(key: string, expires: number): string {
    const unsigned = `${baseUrl}/${key}?expires=${expires}`;
    const known = remembered.get(unsigned);
    if (known !== undefined) return known;
    const url = `${unsigned}&signature=${signatureOf(secret, key, String(expires))}`;
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(unsigned, url);
    return url;
  }
  const now = () => clock().getTime() / 1000;
  return {
    picture: (key) => addressOf(key, pictureExpiry(now())),
    audio(key, duration) {
      const expires = audioExpiry(now(), duration, audioLife);
      return { url: addressOf(key, expires), expiresAt: new Date(expires * 1000) };
    },
  };
}

/**
 * Checks a link. In: the secret, the key as asked for, the query, the time. Out: the seconds it still lives, or why
 * it is refused. Whether it expired is told only of links that were ours.
 */
export function secondsLeft(
  secret: string,
  asked: { key: string; expires: unknown; signature: unknown },
  now: Date,
): number | 'forbidden' | 'link_expired' {
  const { key, expires, signature } = asked;
  if (typeof expires !== 'string' || typeof signature !== 'string') return 'forbidden';
  const given = Buffer.from(signature);
  const right = Buffer.from(signatureOf(secret, key, expires));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'forbidden';
  const left = Math.floor(Number(expires) - now.getTime() / 1000);
  return left > 0 ? left : 'link_expired';
}
