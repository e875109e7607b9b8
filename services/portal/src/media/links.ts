import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from '@escucho/service-kit';
import { LRUCache } from 'lru-cache';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS;
const WEEK_SECONDS = 7 * DAY_SECONDS;
const MIN_AUDIO_LIFETIME_SECONDS = 30 * MINUTE_SECONDS;
const AUDIO_EXPIRY_STEP_SECONDS = 5 * MINUTE_SECONDS;

const roundUp = (seconds: number, step: number): number => Math.ceil(seconds / step) * step;

/**
 * Returns when an audio link expires, in seconds since 1970: after half an hour or three times the track, whichever is
 * longer, rounded up so that repeated requests return the same address.
 *
 * @param now - in seconds since 1970
 * @param duration - of the track, in seconds
 * @param lifetime - a fixed lifetime in seconds instead
 */
export function getAudioExpiry(now: number, duration: number, lifetime?: number): number {
  if (lifetime !== undefined) return Math.ceil(now + lifetime);
  return roundUp(now + Math.max(MIN_AUDIO_LIFETIME_SECONDS, 3 * duration), AUDIO_EXPIRY_STEP_SECONDS);
}

/**
 * Returns when a picture link expires, in seconds since 1970: the same time for all users during a week, so that caches
 * keep the picture, and at least a day from now.
 */
export function getPictureExpiry(now: number): number {
  return roundUp(now + DAY_SECONDS, WEEK_SECONDS);
}

// Lists name the same pictures again and again, and a signature costs as much as the rest of a track.
const MAX_CACHED_URLS = 20_000;

/** Short beside the half hour that an audio link is valid at least. */
const REUSABLE_MS = 60_000;

/** Half of the HMAC, which RFC 2104 (5) accepts: whole signatures would be 40 % of a compressed list. */
const SIGNATURE_BYTES = 16;

const sign = (secret: string, key: string, expires: string): string =>
  createHmac('sha256', secret)
    .update(`${key}\n${expires}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
    .toString('base64url');

export interface LinkOptions {
  secret: string;
  /** Where the media plugin is mounted, without a trailing slash. */
  baseUrl: string;
  /** Lifetime of audio URLs in seconds; as long as the track needs by default. */
  audioLifetimeSeconds?: number | undefined;
}

/** Creates the signed URLs of pictures and audio. */
export function createLinks({
  secret,
  baseUrl,
  audioLifetimeSeconds,
  clock,
}: LinkOptions & { clock: () => Date }) {
  const urls = new LRUCache<string, string>({ max: MAX_CACHED_URLS });
  function toSignedUrl(key: string, expires: number): string {
    const unsigned = `${baseUrl}/${key}?expires=${expires}`;
    const cached = urls.get(unsigned);
    if (cached !== undefined) return cached;
    const url = `${unsigned}&signature=${sign(secret, key, String(expires))}`;
    urls.set(unsigned, url);
    return url;
  }
  const getNow = () => clock().getTime() / 1000;
  return {
    /** For how many milliseconds a response with links may be sent again. */
    reusableMs: audioLifetimeSeconds === undefined ? REUSABLE_MS : 1,
    /** Returns the URL of a picture, valid for about a week. */
    picture: (key: string): string => toSignedUrl(key, getPictureExpiry(getNow())),
    /** Returns the URL of an audio file; check `mayPlay` first. `duration` in seconds. */
    audio(key: string, duration: number): { url: string; expiresAt: Date } {
      const expires = getAudioExpiry(getNow(), duration, audioLifetimeSeconds);
      return { url: toSignedUrl(key, expires), expiresAt: new Date(expires * 1000) };
    },
  };
}

export type Links = ReturnType<typeof createLinks>;

/**
 * Verifies a signed URL.
 *
 * @param link - the key and the query of the request
 * @returns the remaining lifetime in seconds, or the error code; `link_expired` only when the signature is valid
 */
export function verifyLink(
  secret: string,
  link: { key: string; expires: unknown; signature: unknown },
  now: Date,
): number | 'forbidden' | 'link_expired' {
  const { key, expires, signature } = link;
  if (typeof expires !== 'string' || typeof signature !== 'string') return 'forbidden';
  if (!isEqualInConstantTime(signature, sign(secret, key, expires))) return 'forbidden';
  const remaining = Math.floor(Number(expires) - now.getTime() / 1000);
  return remaining > 0 ? remaining : 'link_expired';
}
