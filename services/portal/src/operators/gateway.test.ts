import { type OperatorLink, platforms } from '@escucho/contracts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { gatewayLimits, startOperatorPortal } from '../testing/operator-portal.ts';

const portal = await startOperatorPortal();
const { state, gatewayRequests, links, signIn, findRefusal } = portal;
const { bitel } = links;

describe('an unavailable gateway', () => {
  // The circuit breaker measures its open time by the date.
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });
  const advanceTime = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  /** Closes the circuit by a successful sign-in. */
  async function closeCircuit(link: () => OperatorLink = bitel): Promise<void> {
    advanceTime(gatewayLimits.openMs);
    await signIn(link());
  }
  /** Returns the number of requests to the gateway for a sign-in that fails. */
  async function countRequests(link: OperatorLink): Promise<number> {
    gatewayRequests.length = 0;
    expect(await findRefusal(link)).toEqual([503, 'unavailable']);
    return gatewayRequests.length;
  }

  it.each([['error'], ['invalid'], ['timeout']] as const)(
    '[EXT-06] retries once and responds unavailable on %s',
    async (behavior) => {
      await closeCircuit();
      state.behavior = behavior;
      gatewayRequests.length = 0;
      const link = bitel();
      expect(await findRefusal(link)).toEqual([503, 'unavailable']);
      expect(gatewayRequests).toHaveLength(2);
      state.behavior = 'normal';
      await signIn(link);
    },
  );

  describe.each(platforms)('%s', (platform) => {
    const link = links[platform];
    const others = platforms.filter((other) => other !== platform);

    it('[EXT-06] three failures open its circuit, not those of others', async () => {
      await closeCircuit(link);
      state.behavior = 'error';
      for (let times = 0; times < 3; times += 1) expect(await countRequests(link())).toBe(2);
      advanceTime(gatewayLimits.openMs - 1);
      expect(await countRequests(link())).toBe(0);
      state.behavior = 'normal';
      for (const other of others) await signIn(links[other]());
      await closeCircuit(link);
    });

    it('[EXT-06] the half-open circuit tries once and opens again on failure', async () => {
      await closeCircuit(link);
      state.behavior = 'error';
      for (let times = 0; times < 3; times += 1) await findRefusal(link());
      advanceTime(gatewayLimits.openMs);
      expect(await countRequests(link())).toBe(2);
      expect(await countRequests(link())).toBe(0);
      state.behavior = 'normal';
      await closeCircuit(link);
    });

    it('[EXT-06] a response closes the circuit, which takes three failures again', async () => {
      await closeCircuit(link);
      state.behavior = 'error';
      for (let times = 0; times < 3; times += 1) await findRefusal(link());
      state.behavior = 'normal';
      await closeCircuit(link);
      state.behavior = 'error';
      for (let times = 0; times < 2; times += 1) expect(await countRequests(link())).toBe(2);
      state.behavior = 'normal';
      await signIn(link());
    });
  });

  it('[EXT-06] an unknown subscriber is no failure', async () => {
    for (let times = 0; times < 6; times += 1) await findRefusal(bitel('51930000009'));
    await signIn(bitel());
  });
});

describe('the log', () => {
  it('[API-03] contains no number, token, signature or secret', () => {
    expect(portal.findLoggedSecrets()).toEqual([]);
  });
});
