import { createHmac } from 'node:crypto';
import { type Platform, type PublicConfig, platforms } from '@escucho/contracts';
import type { OperatorOptions } from '@escucho/portal';
import { EnvError } from '@escucho/service-kit';
import * as z from 'zod/mini';
import type { Instance } from './instance.ts';
import { address } from './settings/kinds.ts';
import type { Settings } from './settings.ts';

const isSafe = (named: string) =>
  named.startsWith('https:') || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(named);
const gateway = z.pipe(
  address.check(z.refine(isSafe, 'must be https: subscribers’ numbers go there')),
  z.transform((text) => text.replace(/\/+$/, '')),
);
const key = z.string().check(z.minLength(16, 'must have at least 16 characters'));
const secret = z.string().check(z.minLength(32, 'must have at least 32 characters'));

/** Environment variables of the operators' gateways. */
export const operatorVariables = {
  OPERATOR_BITEL_GATEWAY: z.optional(gateway),
  OPERATOR_BITEL_KEY: z.optional(key),
  OPERATOR_BITEL_SECRET: z.optional(secret),
  OPERATOR_BITEL_PAGE: z.optional(address),
  OPERATOR_ENTEL_GATEWAY: z.optional(gateway),
  OPERATOR_ENTEL_KEY: z.optional(key),
  OPERATOR_ENTEL_PAGE: z.optional(address),
  OPERATOR_ENTEL_TAG_MANAGER_ID: z.optional(
    z.string().check(z.regex(/^GTM-[A-Z0-9]{4,12}$/, 'must look like GTM-ABC1234')),
  ),
  OPERATOR_CNT_GATEWAY: z.optional(gateway),
  OPERATOR_CNT_KEY: z.optional(key),
  OPERATOR_CNT_PAGE: z.optional(address),
  OPERATOR_ANTEL_GATEWAY: z.optional(gateway),
  OPERATOR_ANTEL_KEY: z.optional(key),
  OPERATOR_ANTEL_SECRET: z.optional(secret),
  OPERATOR_ANTEL_PAGE: z.optional(address),
};

const variables = z.object(operatorVariables);
type Variables = z.output<typeof variables>;

/** An operator configured by the environment. */
interface OutsideOperator {
  gateway: string;
  key: string;
  /** Secret that signs its links; absent where it issues tokens. */
  secret?: string;
  /** Its subscription page. */
  page: string;
}

/** The configured operators, and the tag-manager container for Entel's users, if any. */
export interface OperatorSettings {
  outside: Partial<Record<Platform, OutsideOperator>>;
  entelTagManagerId: string | undefined;
}

/** Returns an operator's settings if all are set, undefined if none is; throws `EnvError` otherwise. */
function wholeOf(
  name: string,
  { gateway, key, page, ...rest }: Partial<Record<keyof OutsideOperator, string | undefined>>,
): OutsideOperator | undefined {
  const { secret } = rest;
  const wanted = { gateway, key, page, ...rest };
  const missing = Object.entries(wanted).filter(([, value]) => value === undefined);
  if (missing.length === Object.keys(wanted).length) return undefined;
  if (gateway === undefined || key === undefined || page === undefined || missing.length > 0) {
    const names = missing.map(([part]) => `OPERATOR_${name}_${part.toUpperCase()}`);
    throw new EnvError([`${names.join(', ')}: needed with the other OPERATOR_${name}_* settings`]);
  }
  return { gateway, key, page, ...(secret !== undefined && { secret }) };
}

/**
 * Reads the operators' settings.
 *
 * @throws EnvError for an operator that is configured in part
 */
export function operatorSettingsOf(env: Variables): OperatorSettings {
  const bitel = wholeOf('BITEL', {
    ...{ gateway: env.OPERATOR_BITEL_GATEWAY, key: env.OPERATOR_BITEL_KEY },
    ...{ secret: env.OPERATOR_BITEL_SECRET, page: env.OPERATOR_BITEL_PAGE },
  });
  const entel = wholeOf('ENTEL', {
    ...{ gateway: env.OPERATOR_ENTEL_GATEWAY, key: env.OPERATOR_ENTEL_KEY, page: env.OPERATOR_ENTEL_PAGE },
  });
  const cnt = wholeOf('CNT', {
    ...{ gateway: env.OPERATOR_CNT_GATEWAY, key: env.OPERATOR_CNT_KEY, page: env.OPERATOR_CNT_PAGE },
  });
  const antel = wholeOf('ANTEL', {
    ...{ gateway: env.OPERATOR_ANTEL_GATEWAY, key: env.OPERATOR_ANTEL_KEY },
    ...{ secret: env.OPERATOR_ANTEL_SECRET, page: env.OPERATOR_ANTEL_PAGE },
  });
  return {
    outside: {
      ...(bitel && { bitel }),
      ...(entel && { entel }),
      ...(cnt && { cnt }),
      ...(antel && { antel }),
    },
    entelTagManagerId: env.OPERATOR_ENTEL_TAG_MANAGER_ID,
  };
}

/** Tells whether the operator simulator runs: in demo mode, when no operator is configured. */
export const hasSimulator = ({ demo, operators }: Settings): boolean =>
  demo && Object.keys(operators.outside).length === 0;

/** Returns the secrets that the simulator shares with the portal. */
export function simulatorKeys({ readerTokenSecret }: Instance): { secret: string; key: string } {
  const derived = (use: string) =>
    createHmac('sha256', readerTokenSecret).update(`operator simulator ${use}`).digest('base64url');
  return { secret: derived('secret'), key: derived('key') };
}

/** Returns the simulator's URL as seen from this process. */
function simulatorAddress({ host, port }: Settings): string {
  const everywhere = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const named = host.includes(':') ? `[${host}]` : host;
  const [, reached = named] = Object.entries(everywhere).find(([one]) => one === host) ?? [];
  return `http://${reached}:${port}/operators`;
}

/** Returns the portal's options: the gateways and the key of the tokens it issues. */
export function operatorOptions(settings: Settings, instance: Instance): OperatorOptions {
  const { readerTokenSecret: tokenSecret } = instance;
  if (!hasSimulator(settings)) return { tokenSecret, gateways: settings.operators.outside };
  const address = simulatorAddress(settings);
  const gateways = platforms.map((platform) => [
    platform,
    { gateway: `${address}/${platform}/gateway`, ...simulatorKeys(instance) },
  ]);
  return { tokenSecret, gateways: Object.fromEntries(gateways) };
}

/** Returns the web app's operators and their subscription pages, for the origin of the request. */
export function publicOperators(settings: Settings, origin: string): PublicConfig['operators'] {
  const { outside, entelTagManagerId } = settings.operators;
  const isSimulated = hasSimulator(settings);
  return platforms.flatMap((platform) => {
    const page = isSimulated ? `${origin}/operators/${platform}` : outside[platform]?.page;
    const tagManagerId = platform === 'entel' ? (entelTagManagerId ?? null) : null;
    return page === undefined ? [] : [{ platform, page, tagManagerId }];
  });
}
