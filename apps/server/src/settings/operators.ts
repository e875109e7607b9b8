import { type Platform, platforms } from '@escucho/contracts';
import * as z from 'zod/mini';
import { baseUrl, EnvError, isInsecureWebUrl, webUrl } from './variables.ts';

const gateway = z.pipe(
  baseUrl,
  z.string().check(z.refine((url) => !isInsecureWebUrl(url), 'must be https: subscribers’ numbers go there')),
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

type Variables = z.output<z.ZodMiniObject<typeof operatorVariables>>;

/** The operators that sign their links; the others issue tokens. */
const signingOperators: ReadonlySet<Platform> = new Set(['bitel', 'antel']);

/** Returns an operator's settings if all are set, undefined if none is; throws EnvError otherwise. */
function readOperator(platform: Platform, env: Readonly<Record<string, string | undefined>>) {
  const prefix = `OPERATOR_${platform.toUpperCase()}`;
  const gateway = env[`${prefix}_GATEWAY`];
  const key = env[`${prefix}_KEY`];
  const page = env[`${prefix}_PAGE`];
  const secret = env[`${prefix}_SECRET`];
  const values = Object.entries({ gateway, key, page, ...(signingOperators.has(platform) && { secret }) });
  const missing = values.filter(([, value]) => value === undefined);
  if (missing.length === values.length) return undefined;
  if (gateway === undefined || key === undefined || page === undefined || missing.length > 0) {
    const names = missing.map(([field]) => `${prefix}_${field.toUpperCase()}`);
    throw new EnvError([`${names.join(', ')}: needed with the other ${prefix}_* settings`]);
  }
  return { gateway, key, page, ...(secret !== undefined && { secret }) };
}

/**
 * Returns the configured operators, and the tag-manager container for Entel's users, if any.
 *
 * @throws EnvError for an operator that is configured in part
 */
export function readOperatorSettings(env: Variables) {
  const external: Partial<Record<Platform, NonNullable<ReturnType<typeof readOperator>>>> = {};
  for (const platform of platforms) {
    const operator = readOperator(platform, env);
    if (operator) external[platform] = operator;
  }
  return { external, entelTagManagerId: env.OPERATOR_ENTEL_TAG_MANAGER_ID };
}
