import { api } from '@escucho/contracts';
import { createDeferred } from '@escucho/database/testing';
import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { rosa, startOperatorPortal } from '../testing/operator-portal.ts';

const portal = await startOperatorPortal();
const { send, call, clock, issuer, tokenSecret, state, subscribers, gatewayRequests, signIn, findOutcome } =
  portal;
const { bitel } = portal.links;

const YEAR = 365 * 24 * 3600;

describe('a clock that was a year ahead and is set right', () => {
  it('[SUB-02] does not put the check of a subscription off by a year', async () => {
    const { accessToken } = await signIn(bitel());
    clock.advance(YEAR);
    const { accessToken: ahead } = await signIn(bitel());
    clock.advance(-YEAR);
    expect(await findOutcome(accessToken)).toEqual([200, undefined]);
    subscribers.set(rosa.id, { ...rosa, status: 'expired' });
    clock.advance(3600);
    await expect.poll(() => findOutcome(ahead)).toEqual([401, 'operator_plan_ended']);
  });

  it.each([
    ['a first sign-in', async () => {}],
    ['a sign-out', (token: string) => call(api.auth.signOut, token, {})],
  ])('[AUTH-09] accepts tokens of sign-ins after %s at that time', async (_name, endSession) => {
    await call(api.account.deleteAccount, (await signIn(bitel())).accessToken, {});
    clock.advance(YEAR);
    await endSession((await signIn(bitel())).accessToken);
    clock.advance(-YEAR);
    expect(await findOutcome((await signIn(bitel())).accessToken)).toEqual([200, undefined]);
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
      message: 'Tu plan con tu operador terminó. Renuévalo y vuelve a iniciar sesión.',
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

  it('[SUB-02] do not end a session that was renewed while the operator responded', async () => {
    const { accessToken } = await signIn(bitel());
    subscribers.set(rosa.id, { ...rosa, status: 'expired' });
    clock.advance(3600);
    const { promise, resolve: release } = createDeferred();
    state.responseDelay = promise;
    gatewayRequests.length = 0;
    const other = await portal.startOtherProcess();
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await other.inject({ url: `/api${api.auth.me.path}`, headers })).statusCode).toBe(200);
    await expect.poll(() => gatewayRequests.length).toBe(1);
    state.responseDelay = undefined;
    subscribers.set(rosa.id, rosa);
    clock.advance(1);
    const session = await signIn(bitel());
    release();
    // Waits for the check.
    await other.close();
    expect(await findStatus(session.accessToken)).toMatchObject({ isActive: true });
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

  it('[SHELL-03] refuses one from before the deletion, after the next sign-in too', async () => {
    const { accessToken: token, user } = await signIn(bitel());
    clock.advance(1.5);
    await call(api.account.deleteAccount, token, {});
    expect(await findOutcome(token)).toEqual([401, 'unauthorized']);
    const next = await signIn(bitel());
    expect(next.user._id).not.toBe(user._id);
    expect(await findOutcome(token)).toEqual([401, 'unauthorized']);
    expect(await findOutcome(next.accessToken)).toEqual([200, undefined]);
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
    expect(portal.findLoggedSecrets()).toEqual([]);
  });
});
