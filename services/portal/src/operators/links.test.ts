import { api, type ErrorCode, type OperatorLink } from '@escucho/contracts';
import { createDeferred } from '@escucho/database/testing';
import { describe, expect, it } from 'vitest';
import { createProof } from '../testing/fakes/operator-gateway.ts';
import { diego, martin, rosa, startOperatorPortal } from '../testing/operator-portal.ts';

const portal = await startOperatorPortal();
const { send, db, clock, tableChecksums, subscribers, gatewayRequests, state, signIn, findRefusal } = portal;
const { bitel, entel, cnt, antel } = portal.links;
const { signInThirdParties } = api.operators;

describe('links of operators', () => {
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

  it('[EXT-06] refuses a used link that expires while its gateway responds', async () => {
    const link = bitel();
    await signIn(link);
    clock.advance(299);
    const { promise, resolve: release } = createDeferred();
    state.responseDelay = promise;
    gatewayRequests.length = 0;
    const refusal = findRefusal(link);
    await expect.poll(() => gatewayRequests.length).toBe(1);
    clock.advance(1);
    release();
    expect(await refusal).toEqual([403, 'link_expired']);
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

describe('the log', () => {
  it('[API-03] contains no number, token, signature or secret', () => {
    expect(portal.findLoggedSecrets()).toEqual([]);
  });
});
