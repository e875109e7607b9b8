import { api, rateLimits } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { diego, rosa, startOperatorPortal, valeria } from '../testing/operator-portal.ts';
import { startPortal } from '../testing/portal.ts';

const portal = await startOperatorPortal();
const { call, send, clock, gateways, subscribers, gatewayRequests, createToken, signIn } = portal;
const { bitel, entel, cnt, antel } = portal.links;
const { signInThirdParties } = api.operators;

describe('sign-in by operator', () => {
  it.each([
    ['bitel', bitel, { firstName: 'Rosa', displayName: 'Rosa Huamán', email: null }],
    ['entel', entel, { email: 'diego@example.com', displayName: 'diego' }],
    ['cnt', cnt, { email: null, displayName: 'CNT' }],
    ['antel', antel, { firstName: 'Martín', lastName: '', displayName: 'Martín' }],
  ] as const)(
    '[EXT-05] [SUB-02] a subscriber of %s signs in with an active subscription',
    async (platform, link, profile) => {
      const { accessToken, user } = await signIn(link());
      expect(user).toMatchObject({ platform, isExternal: true, ...profile });
      expect(await call(api.auth.me, accessToken, {})).toEqual({
        user,
        subscription: {
          isActive: true,
          store: 'rc_billing',
          willRenew: platform === 'entel',
          expiresAt: null,
        },
      });
    },
  );

  it('[AUTH-09] signing out ends the sessions of all devices, until the next link', async () => {
    const { accessToken } = await signIn(bitel());
    clock.advance(10);
    const { accessToken: other } = await signIn(bitel());
    clock.advance(10);
    await call(api.auth.signOut, accessToken, {});
    for (const token of [accessToken, other]) {
      expect((await send(api.auth.me, { token })).statusCode).toBe(401);
    }
    clock.advance(10);
    const { accessToken: next } = await signIn(bitel());
    expect((await send(api.auth.me, { token: next })).statusCode).toBe(200);
  });

  it('[AUTH-09] a sign-out ends sessions of its second, not the next', async () => {
    clock.advance(1 - ((clock.now().getTime() / 1000) % 1));
    const { accessToken } = await signIn(bitel());
    clock.advance(0.1);
    await call(api.auth.signOut, accessToken, {});
    expect((await send(api.auth.me, { token: accessToken })).statusCode).toBe(401);
    clock.advance(0.1);
    const { accessToken: next } = await signIn(bitel());
    expect((await send(api.auth.me, { token: next })).statusCode).toBe(200);
  });

  it('responds with a token that no cache stores', async () => {
    const { headers } = await send(signInThirdParties, { body: bitel() });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('[EXT-06] sends the operator the link’s data and nothing else', async () => {
    gatewayRequests.length = 0;
    await signIn(bitel());
    const [token, other] = [createToken(diego), createToken(valeria)];
    await signIn({ platform: 'entel', msfw: token });
    await signIn({ platform: 'cnt', cntToken: other, msisdn: valeria.msisdn });
    expect(gatewayRequests).toEqual([
      { msisdn: rosa.msisdn },
      { token },
      { token: other, msisdn: valeria.msisdn },
    ]);
  });

  it('[EXT-05] a subscriber with a new number is the same user, with an updated profile', async () => {
    const { user: before } = await signIn(bitel());
    const moved = { ...rosa, msisdn: '51930000777', firstName: 'Rosa María' };
    subscribers.set(moved.msisdn, moved);
    const { user: after } = await signIn(bitel(moved.msisdn));
    expect(after).toEqual({ ...before, firstName: 'Rosa María', displayName: 'Rosa María Huamán' });
  });

  it('[SUB-07] names edited in the settings stay', async () => {
    const { accessToken } = await signIn(antel());
    await call(api.settings.changeSettings, accessToken, { body: { firstName: 'Tincho' } });
    expect((await signIn(antel())).user.firstName).toBe('Tincho');
  });

  it('[API-03] sanitizes names from a gateway', async () => {
    subscribers.set(rosa.msisdn, { ...rosa, firstName: ` Ro\0sa\n`, lastName: 'x'.repeat(500) });
    const { user } = await signIn(bitel());
    expect([user.firstName, user.lastName.length]).toEqual(['Rosa', 60]);
  });
});

describe('the log', () => {
  it('[API-03] contains no number, token, signature or secret', () => {
    expect(portal.findLoggedSecrets()).toEqual([]);
  });
});

describe('unconfigured operators', async () => {
  const unconfigured = await startPortal({
    operators: { gateways: { bitel: gateways.bitel } },
  });

  it('[EXT-06] respond unavailable', async () => {
    const response = await unconfigured.send(signInThirdParties, { body: entel() });
    expect([response.statusCode, response.json().error.code]).toEqual([503, 'unavailable']);
  });

  it('[EXT-06] sign-ins of one IP address are rate limited', async () => {
    const [limit] = rateLimits.operatorSignIn;
    const signIn = async (from: string) => {
      const body = { platform: 'bitel', msisdn: rosa.msisdn };
      const response = await unconfigured.send(signInThirdParties, { body, from });
      return [response.statusCode, response.json().error.code];
    };
    for (let times = 0; times < limit.limit; times += 1) {
      expect(await signIn('203.0.113.7')).toEqual([403, 'forbidden']);
    }
    expect(await signIn('203.0.113.7')).toEqual([429, 'too_many_requests']);
    expect(await signIn('203.0.113.8')).toEqual([403, 'forbidden']);
  });
});
