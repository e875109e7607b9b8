import type { Platform } from '@escucho/contracts';
import { EnvError } from '@escucho/service-kit';
import * as z from 'zod/mini';
import { webUrl } from './variables.ts';

const isEncryptedOrLoopback = (url: string) =>
  url.startsWith('https:') || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(url);
const gateway = z.pipe(
  webUrl.check(z.refine(isEncryptedOrLoopback, 'must be https: subscribers’ numbers go there')),
  z.transform((text) => text.replace(/\/+$/, '')),
);
const key = z.string().check(z.minLength(16, 'must have at least 16 characters'));
const secret = z.string().check(z.minLength(32, 'must have at least 32 characters'));

/** Environment variables of the operators' gateways. */
export const operatorVariables = {
  OPERATOR_BITEL_GATEWAY: z.optional(gateway),
  OPERATOR_BITEL_KEY: z.optional(key),
  OPERATOR_BITEL_SECRET: z.optional(secret),
  OPERATOR_BITEL_PAGE: z.optional(webUrl),
  OPERATOR_ENTEL_GATEWAY: z.optional(gateway),
  OPERATOR_ENTEL_KEY: z.optional(key),
  OPERATOR_ENTEL_PAGE: z.optional(webUrl),
  OPERATOR_ENTEL_TAG_MANAGER_ID: z.optional(
    z.string().check(z.regex(/^GTM-[A-Z0-9]{4,12}$/, 'must look like GTM-ABC1234')),
  ),
  OPERATOR_CNT_GATEWAY: z.optional(gateway),
  OPERATOR_CNT_KEY: z.optional(key),
  OPERATOR_CNT_PAGE: z.optional(webUrl),
  OPERATOR_ANTEL_GATEWAY: z.optional(gateway),
  OPERATOR_ANTEL_KEY: z.optional(key),
  OPERATOR_ANTEL_SECRET: z.optional(secret),
  OPERATOR_ANTEL_PAGE: z.optional(webUrl),
};

const variables = z.object(operatorVariables);
type Variables = z.output<typeof variables>;

/** An operator configured by the environment. */
interface ExternalOperator {
  gateway: string;
  key: string;
  /** Secret that signs its links; absent where it issues tokens. */
  secret?: string;
  /** Its subscription page. */
  page: string;
}

/** The configured operators, and the tag-manager container for Entel's users, if any. */
export interface OperatorSettings {
  external: Partial<Record<Platform, ExternalOperator>>;
  entelTagManagerId: string | undefined;
}

/** Returns an operator's settings if all are set, undefined if none is; throws EnvError otherwise. */
function readOperator(
  name: string,
  { gateway, key, page, ...rest }: Partial<Record<keyof ExternalOperator, string | undefined>>,
): ExternalOperator | undefined {
  const { secret } = rest;
  const variables = { gateway, key, page, ...rest };
  const missing = Object.entries(variables).filter(([, value]) => value === undefined);
  if (missing.length === Object.keys(variables).length) return undefined;
  if (gateway === undefined || key === undefined || page === undefined || missing.length > 0) {
    const names = missing.map(([field]) => `OPERATOR_${name}_${field.toUpperCase()}`);
    throw new EnvError([`${names.join(', ')}: needed with the other OPERATOR_${name}_* settings`]);
  }
  return { gateway, key, page, ...(secret !== undefined && { secret }) };
}

/**
 * Reads the operators' settings.
 *
 * @throws EnvError for an operator that is configured in part
 */
export function readOperatorSettings(env: Variables): OperatorSettings {
  const bitel = readOperator('BITEL', {
    gateway: env.OPERATOR_BITEL_GATEWAY,
    key: env.OPERATOR_BITEL_KEY,
    secret: env.OPERATOR_BITEL_SECRET,
    page: env.OPERATOR_BITEL_PAGE,
  });
  const entel = readOperator('ENTEL', {
    gateway: env.OPERATOR_ENTEL_GATEWAY,
    key: env.OPERATOR_ENTEL_KEY,
    page: env.OPERATOR_ENTEL_PAGE,
  });
  const cnt = readOperator('CNT', {
    gateway: env.OPERATOR_CNT_GATEWAY,
    key: env.OPERATOR_CNT_KEY,
    page: env.OPERATOR_CNT_PAGE,
  });
  const antel = readOperator('ANTEL', {
    gateway: env.OPERATOR_ANTEL_GATEWAY,
    key: env.OPERATOR_ANTEL_KEY,
    secret: env.OPERATOR_ANTEL_SECRET,
    page: env.OPERATOR_ANTEL_PAGE,
  });
  return {
    external: {
      ...(bitel && { bitel }),
      ...(entel && { entel }),
      ...(cnt && { cnt }),
      ...(antel && { antel }),
    },
    entelTagManagerId: env.OPERATOR_ENTEL_TAG_MANAGER_ID,
  };
}
