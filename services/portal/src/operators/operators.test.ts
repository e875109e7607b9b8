import { api, type ErrorCode, type OperatorLink, platforms } from '@escucho/contracts';
import { decodeJwt, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProof, linkSecret, startFakeGateway } from '../testing/operator-gateway.ts';
import { startPortal } from '../testing/portal.ts';

const { gateways, subscribers, requests: gatewayRequests, state } = await startFakeGateway();
const limits = { timeoutMs: 2000, failuresToOpen: 3, openMs: 10_000 };
const portal = await startPortal({ operators: { gateways, limits, perMinute: 10_000 } });
const { send, call, db, clock, issuer, tableChecksums, log, tokenSecret } = portal;
const { signInThirdParties } = api.operators;

const rosa = { id: 'rosa', msisdn: '51930000001', status: 'active', firstName: 'Rosa', lastName: 'Huamán' };
const diego = { id: 'diego', msisdn: '51940000001', status: 'active', email: 'diego@example.com' };
const valeria = { id: 'valeria', msisdn: '593990000001', status: 'active' };
const martin = { id: 'martin', msisdn: '59899000001', status: 'active', firstName: 'Martín' };

beforeEach(() => {
  state.behavior = 'normal';
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

describe('attacks', () => {
  const stamp = /^(\d+)\.([\w-]+)\.([\w-]+)$/;
  const alterProof = (change: (issued: string, nonce: string, signature: string) => string): OperatorLink => {
    const link = bitel();
    const [, issued = '', nonce = '', signature = ''] =
      stamp.exec('proof' in link ? (link.proof ?? '') : '') ?? [];
    return { platform: 'bitel', msisdn: rosa.msisdn, proof: change(issued, nonce, signature) };
  };
  const flipFirst = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
  // The last of 43 characters has two unused bits: another character may encode the same bytes.
  const encodeDifferently = (text: string) => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return text.slice(0, -1) + letters[letters.indexOf(text.slice(-1)) ^ 1];
  };

  it.each<[string, () => unknown, [number, ErrorCode]]>([
    ['an unsigned number', () => ({ platform: 'bitel', msisdn: rosa.msisdn }), [403, 'forbidden']],
    [
      'an unsigned number of Antel',
      () => ({ platform: 'antel', source: 'antel', msisdn: martin.msisdn }),
      [403, 'forbidden'],
    ],
    [
      'another number with a valid signature',
      () => ({ ...bitel('51930000002'), msisdn: rosa.msisdn }),
      [403, 'forbidden'],
    ],
    ['an altered signature', () => alterProof((i, n, s) => `${i}.${n}.${flipFirst(s)}`), [403, 'forbidden']],
    [
      'the signature in another encoding',
      () => alterProof((i, n, s) => `${i}.${n}.${encodeDifferently(s)}`),
      [403, 'forbidden'],
    ],
    ['an altered nonce', () => alterProof((i, n, s) => `${i}.${flipFirst(n)}.${s}`), [403, 'forbidden']],
    ['an altered time', () => alterProof((i, n, s) => `${Number(i) + 60}.${n}.${s}`), [403, 'forbidden']],
    [
      'a signature with another secret',
      () => bitel(rosa.msisdn, { secret: 'not the secret that we share' }),
      [403, 'forbidden'],
    ],
    ['the signature of another operator', () => ({ ...antel(), platform: 'bitel' }), [403, 'forbidden']],
    ['an old link', () => bitel(rosa.msisdn, { age: 300 }), [403, 'link_expired']],
    ['a link from the future', () => bitel(rosa.msisdn, { age: -61 }), [403, 'link_expired']],
    ['a token with another subscriber’s number', () => cnt(rosa.msisdn), [403, 'forbidden']],
    [
      'an unknown token',
      () => ({ platform: 'entel', msfw: 'made-up-token' }),
      [403, 'subscription_required'],
    ],
    ['a number without a subscription', () => bitel('51930000009'), [403, 'subscription_required']],
  ])('[EXT-06] refuses %s', async (_name, link, expected) => {
    const before = await tableChecksums();
    expect(await findRefusal(link())).toEqual(expected);
    expect(await tableChecksums()).toEqual(before);
  });

  it('[EXT-06] refuses an unsigned link without calling the gateway', async () => {
    gatewayRequests.length = 0;
    await findRefusal({ platform: 'bitel', msisdn: rosa.msisdn });
    await findRefusal(bitel(rosa.msisdn, { secret: 'x' }));
    await findRefusal(bitel(rosa.msisdn, { age: 300 }));
    expect(gatewayRequests).toEqual([]);
  });

  it.each([
    ['bitel', bitel],
    ['entel', entel],
    ['cnt', cnt],
    ['antel', antel],
  ] as const)('[EXT-06] refuses a link of %s the second time', async (_name, make) => {
    const link = make();
    await signIn(link);
    const before = await tableChecksums();
    expect(await findRefusal(link)).toEqual([403, 'link_expired']);
    expect(await tableChecksums()).toEqual(before);
  });

  it.each([
    ['bitel', bitel],
    ['entel', entel],
  ] as const)('[EXT-06] one of many concurrent uses of a link of %s succeeds', async (_name, make) => {
    const link = make();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => send(signInThirdParties, { body: link })),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(11).fill(403)]);
  });

  it('[EXT-06] operators’ nonces are independent', async () => {
    const nonce = 'the-same-nonce-for-both';
    const other = { platform: 'antel', msisdn: martin.msisdn } as const;
    await signIn(bitel(rosa.msisdn, { nonce }));
    await signIn({ ...other, source: 'antel', proof: createProof(clock, other, { nonce }) });
  });

  it('[EXT-06] used links are deleted after their expiry', async () => {
    const count = async () => {
      const { rows } = await db.executeQuery<{ count: number }>(
        db
          .selectFrom('used_operator_link')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .compile(),
      );
      return Number(rows[0]?.count);
    };
    await signIn(bitel());
    clock.advance(31 * 24 * 3600);
    await signIn(bitel());
    expect(await count()).toBe(1);
  });

  it('[EXT-06] refuses a response about another number than the link’s', async () => {
    subscribers.set(rosa.msisdn, diego);
    expect(await findRefusal(bitel())).toEqual([403, 'forbidden']);
  });

  it('[EXT-02] errors are in the user’s language', async () => {
    const headers = { 'accept-language': 'es' };
    const response = await send(signInThirdParties, {
      body: { platform: 'bitel', msisdn: rosa.msisdn },
      headers,
    });
    expect(response.json().error).toMatchObject({
      code: 'forbidden',
      fields: [{ path: 'body.proof', message: 'Este valor no es válido.' }],
    });
  });
});

describe('an unavailable gateway', () => {
  const links = { bitel, entel, cnt, antel };
  // The circuit breaker measures its open time by the date.
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });
  const advanceTime = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  /** Closes the circuit by a successful sign-in. */
  async function closeCircuit(link: () => OperatorLink = bitel): Promise<void> {
    advanceTime(limits.openMs);
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
      advanceTime(limits.openMs - 1);
      expect(await countRequests(link())).toBe(0);
      state.behavior = 'normal';
      for (const other of others) await signIn(links[other]());
      await closeCircuit(link);
    });

    it('[EXT-06] the half-open circuit tries once and opens again on failure', async () => {
      await closeCircuit(link);
      state.behavior = 'error';
      for (let times = 0; times < 3; times += 1) await findRefusal(link());
      advanceTime(limits.openMs);
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

describe('subscription checks', () => {
  const findStatus = async (token: string) => (await call(api.auth.me, token, {})).subscription;

  /** Signs in a subscriber whose plan then ends, and waits until the portal knows. */
  async function endPlan() {
    const session = await signIn(bitel());
    subscribers.set(rosa.id, { ...rosa, status: 'expired' });
    clock.advance(3600);
    await expect.poll(() => findOutcome(session.accessToken)).toEqual([401, 'operator_plan_ended']);
    return session;
  }

  it('[SUB-02] run in the background an hour after the last one', async () => {
    const { accessToken } = await signIn(bitel());
    subscribers.set(rosa.id, { ...rosa, status: 'expired' });
    clock.advance(3599);
    gatewayRequests.length = 0;
    expect(await findStatus(accessToken)).toMatchObject({ isActive: true });
    expect(gatewayRequests).toEqual([]);
    clock.advance(1);
    await Promise.all(Array.from({ length: 5 }, () => send(api.auth.me, { token: accessToken })));
    await expect.poll(() => findOutcome(accessToken)).toEqual([401, 'operator_plan_ended']);
    expect(gatewayRequests).toEqual([{ id: rosa.id }]);
  });

  it('[SUB-02] end the session when the plan has ended, in the user’s language', async () => {
    const { accessToken } = await endPlan();
    const response = await send(api.listening.findContinueListening, {
      token: accessToken,
      headers: { 'accept-language': 'es' },
    });
    expect(response.statusCode).toBe(401);
    expect(response.json().error).toMatchObject({
      code: 'operator_plan_ended',
      message: 'Tu plan con tu operadora terminó. Renuévalo y vuelve a iniciar sesión.',
    });
    expect((await send(api.account.exportAccount, { token: accessToken })).statusCode).toBe(401);
  });

  it('[SUB-02] leave an ended session ended until the next sign-in through the operator', async () => {
    const { accessToken } = await endPlan();
    subscribers.set(rosa.id, rosa);
    clock.advance(3600);
    gatewayRequests.length = 0;
    expect(await findOutcome(accessToken)).toEqual([401, 'operator_plan_ended']);
    expect(gatewayRequests).toEqual([]);
    expect(await findStatus((await signIn(bitel())).accessToken)).toMatchObject({ isActive: true });
  });

  it('[SUB-02] the last result applies while the operator is unavailable', async () => {
    const { accessToken } = await signIn(bitel());
    state.behavior = 'error';
    clock.advance(3600);
    gatewayRequests.length = 0;
    await findStatus(accessToken);
    await expect.poll(() => gatewayRequests.length).toBe(2);
    expect(await findStatus(accessToken)).toMatchObject({ isActive: true });
  });
});

describe('tokens of operators’ users', async () => {
  subscribers.set(rosa.id, rosa).set(rosa.msisdn, rosa);
  const { accessToken } = await signIn(bitel());
  const claims = decodeJwt(accessToken);
  const key = new TextEncoder().encode(tokenSecret);
  const sign = (changes: object, signingKey = key) =>
    new SignJWT({ ...claims, exp: clock.seconds() + 60, ...changes })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(signingKey);

  it('[EXT-05] contain subject and expiry a day advanceTime, nothing else', () => {
    expect(claims).toEqual({
      iss: 'escucho-portal',
      aud: 'escucho-operator-readers',
      sub: 'operator:bitel:rosa',
      iat: expect.any(Number),
      exp: Number(claims.iat) + 24 * 3600,
    });
  });

  it.each([
    [
      'signed with another key',
      () => sign({}, new TextEncoder().encode('another key of forty characters or so')),
      'unauthorized',
    ],
    ['for another audience', () => sign({ aud: 'somebody-else' }), 'unauthorized'],
    ['without an expiry', () => sign({ exp: undefined }), 'unauthorized'],
    ['for a subject of the identity provider', () => sign({ sub: 'a-user-of-the-provider' }), 'unauthorized'],
    ['for a subscriber who never signed in', () => sign({ sub: 'operator:bitel:nobody' }), 'unauthorized'],
    ['that has expired', () => sign({ exp: clock.seconds() - 1 }), 'token_expired'],
    [
      'unsigned',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${accessToken.split('.')[1]}.x`,
      'unauthorized',
    ],
    [
      'of the identity provider with such a subject',
      () => issuer.access('operator:bitel:rosa'),
      'unauthorized',
    ],
    [
      'of the identity provider with the portal as issuer',
      () => issuer.access('operator:bitel:rosa', { issuer: 'escucho-portal' }),
      'unauthorized',
    ],
  ])('[API-02] refuses one %s', async (_name, make, code) => {
    expect(await findOutcome(await make())).toEqual([401, code]);
  });

  it('[EXT-05] expire after a day', async () => {
    const token = (await signIn(bitel())).accessToken;
    clock.advance(24 * 3600 - 1);
    expect(await findOutcome(token)).toEqual([200, undefined]);
    clock.advance(1);
    expect(await findOutcome(token)).toEqual([401, 'token_expired']);
  });

  it('[AUTH-14] do not accept an ID token of the identity provider', async () => {
    const response = await send(api.auth.signInCognito, {
      token: (await signIn(bitel())).accessToken,
      body: { idToken: await issuer.id('operator:bitel:rosa') },
    });
    expect(response.statusCode).toBe(400);
  });
});

describe('the log', () => {
  it('[API-03] contains no number, token, signature or secret', () => {
    const text = log.join('');
    expect(text).toContain('/api/auth/sign-in-third-parties');
    for (const hidden of [rosa.msisdn, diego.msisdn, 'fresh-token', linkSecret, tokenSecret, 'Huamán'])
      expect(text).not.toContain(hidden);
  });
});

describe('unconfigured operators', async () => {
  const unconfigured = await startPortal({
    operators: { gateways: { bitel: gateways.bitel }, perMinute: 3 },
  });

  it('[EXT-06] respond unavailable', async () => {
    const response = await unconfigured.send(signInThirdParties, { body: entel() });
    expect([response.statusCode, response.json().error.code]).toEqual([503, 'unavailable']);
  });

  it('[EXT-06] sign-ins of one IP address are rate limited', async () => {
    const outcomes = [];
    for (let times = 0; times < 4; times += 1) {
      const response = await unconfigured.send(signInThirdParties, {
        body: { platform: 'bitel', msisdn: rosa.msisdn },
      });
      outcomes.push([response.statusCode, response.json().error.code]);
    }
    expect(outcomes.at(-1)).toEqual([429, 'too_many_requests']);
    expect((await unconfigured.send(api.auth.me, {})).statusCode).toBe(401);
  });
});
