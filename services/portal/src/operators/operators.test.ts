import { api, type ErrorCode, type OperatorLink, platforms } from '@escucho/contracts';
import { decodeJwt, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProof, linkSecret, startFakeGateway } from '../testing/operator-gateway.ts';
import { startPortal } from '../testing/portal.ts';

const { gateways, says, asked, state } = await startFakeGateway();
const limits = { timeoutMs: 2000, failuresToOpen: 3, openMs: 10_000 };
const portal = await startPortal({ operators: { gateways, limits, perMinute: 10_000 } });
const { send, call, db, clock, issuer, tableChecksums, log, tokenSecret } = portal;
const { signInThirdParties } = api.operators;

const rosa = { id: 'rosa', msisdn: '51930000001', status: 'active', firstName: 'Rosa', lastName: 'Huamán' };
const diego = { id: 'diego', msisdn: '51940000001', status: 'active', email: 'diego@example.com' };
const valeria = { id: 'valeria', msisdn: '593990000001', status: 'active' };
const martin = { id: 'martin', msisdn: '59899000001', status: 'active', firstName: 'Martín' };

beforeEach(() => {
  state.mood = 'well';
  says.clear();
  for (const one of [rosa, diego, valeria, martin]) for (const by of [one.id, one.msisdn]) says.set(by, one);
  says.set('entel-token-1', diego).set('cnt-token-1', valeria);
});

/** A fresh link of Bitel's for a number. */
const bitel = (msisdn = rosa.msisdn, wrong: Parameters<typeof createProof>[2] = {}): OperatorLink => ({
  platform: 'bitel',
  msisdn,
  proof: createProof(clock, { platform: 'bitel', msisdn }, wrong),
});
const antel = (): OperatorLink => ({
  platform: 'antel',
  source: 'antel',
  msisdn: martin.msisdn,
  proof: createProof(clock, { platform: 'antel', msisdn: martin.msisdn }),
});
let tokens = 0;
/** A token of an operator's own that stands for somebody. */
function tokenFor(somebody: typeof rosa | typeof valeria | typeof diego): string {
  tokens += 1;
  says.set(`fresh-token-${tokens}`, somebody);
  return `fresh-token-${tokens}`;
}
const entel = (): OperatorLink => ({ platform: 'entel', msfw: tokenFor(diego) });
const cnt = (msisdn = valeria.msisdn): OperatorLink => ({
  platform: 'cnt',
  cntToken: tokenFor(valeria),
  msisdn,
});

async function signIn(link: OperatorLink) {
  const answer = await send(signInThirdParties, { body: link });
  expect(answer.statusCode).toBe(200);
  return signInThirdParties.response.parse(answer.json());
}

/** What a link gets that gets nothing. */
async function refusal(link: unknown, headers: Record<string, string> = {}) {
  const answer = await send(signInThirdParties, { body: link, headers });
  return [answer.statusCode, answer.json().error?.code];
}

describe('sign-in by operator', () => {
  it.each([
    ['bitel', bitel, { firstName: 'Rosa', displayName: 'Rosa Huamán', email: null }],
    ['entel', entel, { email: 'diego@example.com', displayName: 'diego' }],
    ['cnt', cnt, { email: null, displayName: 'CNT' }],
    ['antel', antel, { firstName: 'Martín', lastName: '', displayName: 'Martín' }],
  ] as const)(
    '[EXT-05] [SUB-02] a subscriber of %s signs in with an active subscription',
    async (platform, link, said) => {
      const { accessToken, user } = await signIn(link());
      expect(user).toMatchObject({ platform, isExternal: true, ...said });
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
    asked.length = 0;
    await signIn(bitel());
    const [token, other] = [tokenFor(diego), tokenFor(valeria)];
    await signIn({ platform: 'entel', msfw: token });
    await signIn({ platform: 'cnt', cntToken: other, msisdn: valeria.msisdn });
    expect(asked).toEqual([{ msisdn: rosa.msisdn }, { token }, { token: other, msisdn: valeria.msisdn }]);
  });

  it('[EXT-05] a subscriber with a new number is the same user, with an updated profile', async () => {
    const { user: before } = await signIn(bitel());
    const moved = { ...rosa, msisdn: '51930000777', firstName: 'Rosa María' };
    says.set(moved.msisdn, moved);
    const { user: after } = await signIn(bitel(moved.msisdn));
    expect(after).toEqual({ ...before, firstName: 'Rosa María', displayName: 'Rosa María Huamán' });
  });

  it('[SUB-07] names edited in the settings stay', async () => {
    const { accessToken } = await signIn(antel());
    await call(api.settings.changeSettings, accessToken, { body: { firstName: 'Tincho' } });
    expect((await signIn(antel())).user.firstName).toBe('Tincho');
  });

  it('[API-03] sanitizes names from a gateway', async () => {
    says.set(rosa.msisdn, { ...rosa, firstName: ` Ro\0sa\n`, lastName: 'x'.repeat(500) });
    const { user } = await signIn(bitel());
    expect([user.firstName, user.lastName.length]).toEqual(['Rosa', 60]);
  });
});

describe('attacks', () => {
  const stamp = /^(\d+)\.([\w-]+)\.([\w-]+)$/;
  const altered = (change: (issued: string, nonce: string, signature: string) => string): OperatorLink => {
    const link = bitel();
    const [, issued = '', nonce = '', signature = ''] =
      stamp.exec('proof' in link ? (link.proof ?? '') : '') ?? [];
    return { platform: 'bitel', msisdn: rosa.msisdn, proof: change(issued, nonce, signature) };
  };
  const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
  // The last character of 43 carries two bits that no byte needs: another one may stand for the same bytes.
  const sameBytes = (text: string) => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return text.slice(0, -1) + letters[letters.indexOf(text.slice(-1)) ^ 1];
  };

  it.each<[string, () => unknown, [number, ErrorCode]]>([
    ['a number that somebody typed', () => ({ platform: 'bitel', msisdn: rosa.msisdn }), [403, 'forbidden']],
    [
      'a number that somebody typed, of Antel',
      () => ({ platform: 'antel', source: 'antel', msisdn: martin.msisdn }),
      [403, 'forbidden'],
    ],
    [
      'another’s number under one’s own signature',
      () => ({ ...bitel('51930000002'), msisdn: rosa.msisdn }),
      [403, 'forbidden'],
    ],
    ['an altered signature', () => altered((i, n, s) => `${i}.${n}.${flipped(s)}`), [403, 'forbidden']],
    [
      'the signature in another writing',
      () => altered((i, n, s) => `${i}.${n}.${sameBytes(s)}`),
      [403, 'forbidden'],
    ],
    ['an altered nonce', () => altered((i, n, s) => `${i}.${flipped(n)}.${s}`), [403, 'forbidden']],
    ['an altered time', () => altered((i, n, s) => `${Number(i) + 60}.${n}.${s}`), [403, 'forbidden']],
    [
      'a signature made with another secret',
      () => bitel(rosa.msisdn, { secret: 'not the secret that we share' }),
      [403, 'forbidden'],
    ],
    ['the signature of another operator', () => ({ ...antel(), platform: 'bitel' }), [403, 'forbidden']],
    ['an old link', () => bitel(rosa.msisdn, { age: 300 }), [403, 'link_expired']],
    ['a link from the future', () => bitel(rosa.msisdn, { age: -61 }), [403, 'link_expired']],
    ['one’s own token with another’s number', () => cnt(rosa.msisdn), [403, 'forbidden']],
    [
      'a token that nobody gave out',
      () => ({ platform: 'entel', msfw: 'made-up-token' }),
      [403, 'subscription_required'],
    ],
    ['a number without a subscription', () => bitel('51930000009'), [403, 'subscription_required']],
  ])('[EXT-06] refuses %s', async (_name, link, expected) => {
    const before = await tableChecksums();
    expect(await refusal(link())).toEqual(expected);
    expect(await tableChecksums()).toEqual(before);
  });

  it('[EXT-06] refuses an unsigned link without calling the gateway', async () => {
    asked.length = 0;
    await refusal({ platform: 'bitel', msisdn: rosa.msisdn });
    await refusal(bitel(rosa.msisdn, { secret: 'x' }));
    await refusal(bitel(rosa.msisdn, { age: 300 }));
    expect(asked).toEqual([]);
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
    expect(await refusal(link)).toEqual([403, 'link_expired']);
    expect(await tableChecksums()).toEqual(before);
  });

  it.each([
    ['bitel', bitel],
    ['entel', entel],
  ] as const)('[EXT-06] one of many concurrent uses of a link of %s succeeds', async (_name, make) => {
    const link = make();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send(signInThirdParties, { body: link })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(11).fill(403)]);
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
    says.set(rosa.msisdn, diego);
    expect(await refusal(bitel())).toEqual([403, 'forbidden']);
  });

  it('[EXT-02] errors are in the user’s language', async () => {
    const headers = { 'accept-language': 'es' };
    const answer = await send(signInThirdParties, {
      body: { platform: 'bitel', msisdn: rosa.msisdn },
      headers,
    });
    expect(answer.json().error).toMatchObject({
      code: 'forbidden',
      fields: [{ path: 'body.proof', message: 'Este valor no es válido.' }],
    });
  });
});

describe('an unavailable gateway', () => {
  const doors = { bitel, entel, cnt, antel };
  // How long a gateway is left alone goes by the date alone: the test moves it.
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });
  const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  /** Whatever was open before is closed by an answer. */
  async function recovered(link: () => OperatorLink = bitel): Promise<void> {
    later(limits.openMs);
    await signIn(link());
  }
  /** How often the gateway is asked for one sign-in that does not work. */
  async function askedFor(link: OperatorLink): Promise<number> {
    asked.length = 0;
    expect(await refusal(link)).toEqual([503, 'unavailable']);
    return asked.length;
  }

  it.each([['error'], ['nonsense'], ['silence']] as const)(
    '[EXT-06] retries once and responds unavailable on %s',
    async (mood) => {
      await recovered();
      state.mood = mood;
      asked.length = 0;
      const link = bitel();
      expect(await refusal(link)).toEqual([503, 'unavailable']);
      expect(asked).toHaveLength(2);
      state.mood = 'well';
      await signIn(link);
    },
  );

  describe.each(platforms)('%s', (platform) => {
    const link = doors[platform];
    const others = platforms.filter((one) => one !== platform);

    it('[EXT-06] three failures open its circuit, not those of others', async () => {
      await recovered(link);
      state.mood = 'error';
      for (let times = 0; times < 3; times += 1) expect(await askedFor(link())).toBe(2);
      later(limits.openMs - 1);
      expect(await askedFor(link())).toBe(0);
      state.mood = 'well';
      for (const other of others) await signIn(doors[other]());
      await recovered(link);
    });

    it('[EXT-06] the half-open circuit tries once and opens again on failure', async () => {
      await recovered(link);
      state.mood = 'error';
      for (let times = 0; times < 3; times += 1) await refusal(link());
      later(limits.openMs);
      expect(await askedFor(link())).toBe(2);
      expect(await askedFor(link())).toBe(0);
      state.mood = 'well';
      await recovered(link);
    });

    it('[EXT-06] a response closes the circuit, which takes three failures again', async () => {
      await recovered(link);
      state.mood = 'error';
      for (let times = 0; times < 3; times += 1) await refusal(link());
      state.mood = 'well';
      await recovered(link);
      state.mood = 'error';
      for (let times = 0; times < 2; times += 1) expect(await askedFor(link())).toBe(2);
      state.mood = 'well';
      await signIn(link());
    });
  });

  it('[EXT-06] an unknown subscriber is no failure', async () => {
    for (let times = 0; times < 6; times += 1) await refusal(bitel('51930000009'));
    await signIn(bitel());
  });
});

describe('subscription checks', () => {
  const standing = async (token: string) => (await call(api.auth.me, token, {})).subscription;

  it('[SUB-02] run in the background an hour after the last one', async () => {
    const { accessToken } = await signIn(bitel());
    says.set(rosa.id, { ...rosa, status: 'expired' });
    clock.advance(3599);
    asked.length = 0;
    expect(await standing(accessToken)).toMatchObject({ isActive: true });
    expect(asked).toEqual([]);
    clock.advance(1);
    await Promise.all(Array.from({ length: 5 }, () => standing(accessToken)));
    await expect.poll(() => standing(accessToken)).toMatchObject({ isActive: false });
    expect(asked).toEqual([{ id: rosa.id }]);
    expect(await standing(accessToken)).toEqual({
      isActive: false,
      store: 'rc_billing',
      willRenew: false,
      expiresAt: clock.now().toISOString(),
    });
  });

  it('[SUB-02] a renewed subscription is active again, by a new link at once', async () => {
    const ended = async () => {
      const { accessToken } = await signIn(bitel());
      says.set(rosa.id, { ...rosa, status: 'expired' });
      clock.advance(3600);
      await expect.poll(() => standing(accessToken)).toMatchObject({ isActive: false });
      says.set(rosa.id, rosa);
      return accessToken;
    };
    const token = await ended();
    clock.advance(3600);
    await expect.poll(() => standing(token)).toMatchObject({ isActive: true });
    await ended();
    expect(await standing((await signIn(bitel())).accessToken)).toMatchObject({ isActive: true });
  });

  it('[SUB-02] the last result applies while the operator is unavailable', async () => {
    const { accessToken } = await signIn(bitel());
    state.mood = 'error';
    clock.advance(3600);
    asked.length = 0;
    await standing(accessToken);
    await expect.poll(() => asked.length).toBe(2);
    expect(await standing(accessToken)).toMatchObject({ isActive: true });
  });
});

describe('tokens of operators’ users', async () => {
  const { accessToken } = await (async () => {
    for (const by of [rosa.id, rosa.msisdn]) says.set(by, rosa);
    return signIn(bitel());
  })();
  const claims = decodeJwt(accessToken);
  const key = new TextEncoder().encode(tokenSecret);
  const sign = (changes: object, with_ = key) =>
    new SignJWT({ ...claims, exp: clock.seconds() + 60, ...changes })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(with_);
  const answerTo = async (token: string) => {
    const answer = await send(api.auth.me, { token });
    return [answer.statusCode, answer.json().error?.code];
  };

  it('[EXT-05] contain subject and expiry a day later, nothing else', () => {
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
    ['without an end', () => sign({ exp: undefined }), 'unauthorized'],
    [
      'for a subject of the identity provider',
      () => sign({ sub: 'a-reader-of-the-provider' }),
      'unauthorized',
    ],
    ['for a subscriber who never came in', () => sign({ sub: 'operator:bitel:nobody' }), 'unauthorized'],
    ['that has ended', () => sign({ exp: clock.seconds() - 1 }), 'token_expired'],
    [
      'unsigned',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${accessToken.split('.')[1]}.x`,
      'unauthorized',
    ],
    [
      'of the identity provider, that speaks for one of them',
      () => issuer.access('operator:bitel:rosa'),
      'unauthorized',
    ],
    [
      'of the identity provider, in our name',
      () => issuer.access('operator:bitel:rosa', { issuer: 'escucho-portal' }),
      'unauthorized',
    ],
  ])('[API-02] refuses one %s', async (_name, make, code) => {
    expect(await answerTo(await make())).toEqual([401, code]);
  });

  it('[EXT-05] expire after a day', async () => {
    const token = (await signIn(bitel())).accessToken;
    clock.advance(24 * 3600 - 1);
    expect(await answerTo(token)).toEqual([200, undefined]);
    clock.advance(1);
    expect(await answerTo(token)).toEqual([401, 'token_expired']);
  });

  it('[AUTH-14] do not accept an ID token of the identity provider', async () => {
    const answer = await send(api.auth.signInCognito, {
      token: (await signIn(bitel())).accessToken,
      body: { idToken: await issuer.id('operator:bitel:rosa') },
    });
    expect(answer.statusCode).toBe(400);
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
  const alone = await startPortal({ operators: { gateways: { bitel: gateways.bitel }, perMinute: 3 } });

  it('[EXT-06] respond unavailable', async () => {
    const answer = await alone.send(signInThirdParties, { body: entel() });
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'unavailable']);
  });

  it('[EXT-06] sign-ins of one IP address are rate limited', async () => {
    const tries = [];
    for (let times = 0; times < 4; times += 1) {
      const answer = await alone.send(signInThirdParties, {
        body: { platform: 'bitel', msisdn: rosa.msisdn },
      });
      tries.push([answer.statusCode, answer.json().error.code]);
    }
    expect(tries.at(-1)).toEqual([429, 'too_many_requests']);
    expect((await alone.send(api.auth.me, {})).statusCode).toBe(401);
  });
});
