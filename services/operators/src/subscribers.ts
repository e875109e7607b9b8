import { createHmac, randomBytes } from 'node:crypto';
import type { Platform } from '@escucho/contracts';
import * as z from 'zod/mini';

/** The cases that test subscribers demonstrate; an `unknown` one is not a customer of the operator. */
export const kinds = ['active', 'expired', 'unknown', 'slow', 'failing'] as const;
type Kind = (typeof kinds)[number];

/** A test subscriber of a simulated operator. */
export interface Subscriber {
  platform: Platform;
  kind: Kind;
  msisdn: string;
  firstName: string;
  lastName: string;
}

/** Prefixes of unassigned numbers; the last digit is the kind. */
const numberPrefixes: Record<Platform, string> = {
  bitel: '5193000000',
  entel: '5194000000',
  cnt: '59399000000',
  antel: '5989900000',
};

/** The names of each operator's subscribers, in the order of the kinds. */
const names: Record<Platform, readonly string[]> = {
  bitel: ['Rosa Huamán', 'Iván Rojas', 'Nadie Conocido', 'Julia Mendoza', 'Óscar Paz'],
  entel: ['Diego Salas', 'Carla Vidal', 'Nadie Conocido', 'Hugo Linares', 'Mónica Ríos'],
  cnt: ['Valeria Andrade', 'Pablo Cevallos', 'Nadie Conocido', 'Elena Yánez', 'Tomás Loor'],
  antel: ['Martín Pereira', 'Sofía Cabrera', 'Nadie Conocido', 'Raúl Techera', 'Inés Olivera'],
};

/** Returns an operator's test subscribers, one of each kind. */
export const getSubscribers = (platform: Platform): Subscriber[] =>
  kinds.map((kind, index) => {
    const [firstName = '', lastName = ''] = names[platform][index]?.split(' ') ?? [];
    return { platform, kind, msisdn: `${numberPrefixes[platform]}${index + 1}`, firstName, lastName };
  });

const TOKEN_LIFETIME_SECONDS = 300;

const tokenPayload = z.object({ platform: z.string(), msisdn: z.string(), expiresAt: z.number() });

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);
const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url');
const createNonce = () => randomBytes(18).toString('base64url');

/** Creates the proof of a number as docs/operations.md specifies it. */
function createProof(secret: string, { platform, msisdn }: Subscriber, now: Date): string {
  const stamp = `${toSeconds(now)}.${createNonce()}`;
  return `${stamp}.${sign(secret, `escucho-link-1\n${platform}\n${msisdn}\n${stamp}`)}`;
}

/** Creates a token that only this operator can resolve to a number. */
function createToken(secret: string, { platform, msisdn }: Subscriber, now: Date): string {
  const payload = {
    platform,
    msisdn,
    expiresAt: toSeconds(now) + TOKEN_LIFETIME_SECONDS,
    nonce: createNonce(),
  };
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${sign(secret, `token\n${text}`)}`;
}

/** Returns the number of a token; undefined for an expired one or one of another operator. */
export function resolveToken(
  token: string,
  { secret, platform, now }: { secret: string; platform: Platform; now: Date },
): string | undefined {
  const [text = '', signature] = token.split('.');
  if (signature !== sign(secret, `token\n${text}`)) return undefined;
  const payload = tokenPayload.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return payload.platform === platform && payload.expiresAt > toSeconds(now) ? payload.msisdn : undefined;
}

/** Creates the query of a subscriber's link into Escucho, as the operator does (EXT-01). */
export function createLinkQuery(subscriber: Subscriber, secret: string, now: Date): URLSearchParams {
  const { platform, msisdn } = subscriber;
  switch (platform) {
    case 'entel':
      return new URLSearchParams({ msfw: createToken(secret, subscriber, now) });
    case 'cnt':
      return new URLSearchParams({ cntToken: createToken(secret, subscriber, now), msisdn });
    case 'antel':
      return new URLSearchParams({ source: 'antel', msisdn, proof: createProof(secret, subscriber, now) });
    case 'bitel':
      return new URLSearchParams({ msisdn, proof: createProof(secret, subscriber, now) });
  }
}
