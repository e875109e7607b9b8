import { api, type OperatorLink } from '@escucho/contracts';
import { beforeEach, expect } from 'vitest';
import { createProof, linkSecret, startFakeGateway } from './fakes/operator-gateway.ts';
import { startPortal } from './portal.ts';

const { signInThirdParties } = api.operators;

/** Limits of a gateway that let a circuit open within a test. */
export const gatewayLimits = { timeoutMs: 1000, failuresToOpen: 3, openMs: 10_000 };

export const rosa = {
  id: 'rosa',
  msisdn: '51930000001',
  status: 'active',
  firstName: 'Rosa',
  lastName: 'Huamán',
};
export const diego = { id: 'diego', msisdn: '51940000001', status: 'active', email: 'diego@example.com' };
export const valeria = { id: 'valeria', msisdn: '593990000001', status: 'active' };
export const martin = { id: 'martin', msisdn: '59899000001', status: 'active', firstName: 'Martín' };

/**
 * Starts a portal whose operators have one fake gateway with four subscribers. Returns both, and functions to create links
 * and to sign in.
 */
export async function startOperatorPortal() {
  const { gateways, subscribers, requests: gatewayRequests, state } = await startFakeGateway();
  const portal = await startPortal({ operators: { gateways, limits: gatewayLimits } });
  const { send, clock } = portal;

  beforeEach(() => {
    Object.assign(state, { behavior: 'normal', responseDelay: undefined });
    subscribers.clear();
    for (const subscriber of [rosa, diego, valeria, martin]) {
      subscribers.set(subscriber.id, subscriber).set(subscriber.msisdn, subscriber);
    }
    subscribers.set('entel-token-1', diego).set('cnt-token-1', valeria);
  });

  /** Returns a fresh link of Bitel for a number; the last parameter makes it invalid. */
  const bitel = (msisdn = rosa.msisdn, changes: Parameters<typeof createProof>[2] = {}): OperatorLink => ({
    platform: 'bitel',
    msisdn,
    proof: createProof(clock, { platform: 'bitel', msisdn }, changes),
  });
  const antel = (): OperatorLink => ({
    platform: 'antel',
    source: 'antel',
    msisdn: martin.msisdn,
    proof: createProof(clock, { platform: 'antel', msisdn: martin.msisdn }),
  });
  let tokenCount = 0;
  /** Returns a token of an operator for a subscriber. */
  function createToken(subscriber: typeof rosa | typeof valeria | typeof diego): string {
    tokenCount += 1;
    subscribers.set(`fresh-token-${tokenCount}`, subscriber);
    return `fresh-token-${tokenCount}`;
  }
  const entel = (): OperatorLink => ({ platform: 'entel', msfw: createToken(diego) });
  const cnt = (msisdn = valeria.msisdn): OperatorLink => ({
    platform: 'cnt',
    cntToken: createToken(valeria),
    msisdn,
  });

  async function signIn(link: OperatorLink) {
    const response = await send(signInThirdParties, { body: link });
    expect(response.statusCode).toBe(200);
    return signInThirdParties.response.parse(response.json());
  }

  /** Returns the status and the error code of a request with a token. */
  async function findOutcome(token: string) {
    const response = await send(api.auth.me, { token });
    return [response.statusCode, response.json().error?.code];
  }

  /** Sends a link that is refused and returns the status and the error code. */
  async function findRefusal(link: unknown, headers: Record<string, string> = {}) {
    const response = await send(signInThirdParties, { body: link, headers });
    return [response.statusCode, response.json().error?.code];
  }

  /** Returns the personal data and secrets that the log contains. */
  function findLoggedSecrets(): string[] {
    const text = portal.log.join('');
    expect(text).toContain('/api/auth/sign-in-third-parties');
    const secrets = [rosa.msisdn, diego.msisdn, 'fresh-token', linkSecret, portal.tokenSecret, 'Huamán'];
    return secrets.filter((secret) => text.includes(secret));
  }

  return {
    ...portal,
    gateways,
    subscribers,
    gatewayRequests,
    state,
    links: { bitel, entel, cnt, antel },
    createToken,
    signIn,
    findOutcome,
    findRefusal,
    findLoggedSecrets,
  };
}
