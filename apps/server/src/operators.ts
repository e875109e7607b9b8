import { createHmac } from 'node:crypto';
import { type PublicConfig, platforms } from '@escucho/contracts';
import type { OperatorOptions } from '@escucho/portal';
import type { Instance } from './instance.ts';
import type { Settings } from './settings.ts';

/** Returns whether the operator simulator runs: in demo mode, when no operator is configured. */
export const hasSimulator = ({ demo, operators }: Settings): boolean =>
  demo && Object.keys(operators.external).length === 0;

/** Returns the secrets that the simulator shares with the portal. */
export function deriveSimulatorKeys({ readerTokenSecret }: Instance): { secret: string; key: string } {
  const deriveKey = (purpose: string) =>
    createHmac('sha256', readerTokenSecret).update(`operator simulator ${purpose}`).digest('base64url');
  return { secret: deriveKey('secret'), key: deriveKey('key') };
}

/** Returns the simulator's URL as seen from this process. */
function getSimulatorUrl({ host, port }: Settings): string {
  const loopbackAddresses: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const address = loopbackAddresses[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${address}:${port}/operators`;
}

/** Returns the portal's options: the gateways and the key of the tokens it issues. */
export function toOperatorOptions(settings: Settings, instance: Instance): OperatorOptions {
  const { readerTokenSecret: tokenSecret } = instance;
  if (!hasSimulator(settings)) return { tokenSecret, gateways: settings.operators.external };
  const simulatorUrl = getSimulatorUrl(settings);
  const gateways = platforms.map((platform) => [
    platform,
    { gateway: `${simulatorUrl}/${platform}/gateway`, ...deriveSimulatorKeys(instance) },
  ]);
  return { tokenSecret, gateways: Object.fromEntries(gateways) };
}

/** Returns the web app's operators and their subscription pages, for the origin of the request. */
export function toPublicOperators(settings: Settings, origin: string): PublicConfig['operators'] {
  const { external, entelTagManagerId } = settings.operators;
  const isSimulated = hasSimulator(settings);
  return platforms.flatMap((platform) => {
    const page = isSimulated ? `${origin}/operators/${platform}` : external[platform]?.page;
    const tagManagerId = platform === 'entel' ? (entelTagManagerId ?? null) : null;
    return page === undefined ? [] : [{ platform, page, tagManagerId }];
  });
}
