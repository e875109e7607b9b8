import { identityApi } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { authorize, exchangeCode, getLocation, oauthOptions } from '../testing/browser.ts';
import { clientId, createTestPool, password } from '../testing/pool.ts';

const { pool } = await createTestPool({ oauth: { ...oauthOptions, implicit: true } });

async function device(email: string, agent: string) {
  const reply = await pool.signIn(email, undefined, { headers: { 'user-agent': agent } });
  const at = (name: string) => reply.at('AuthenticationResult', name);
  return { access: at('AccessToken'), refresh: at('RefreshToken') };
}

const send = (method: 'GET' | 'DELETE', path: string, token: string) =>
  pool.app.inject({ method, url: `/identity${path}`, headers: { authorization: `Bearer ${token}` } });

const list = async (token: string) =>
  identityApi.listSessions.response.parse((await send('GET', '/sessions', token)).json()).docs;

describe('sessions', () => {
  it('lists active sessions, last used first, and marks the current one', async () => {
    const { email } = await pool.createUser();
    const phone = await device(email, `Phone\u00e9 1 (Android 16; Mobile; rv:145.0) Firefox/145.0`);
    const desk = await pool.withClockAdvanced(1000, () => device(email, 'Desk'));
    await pool.withClockAdvanced(2000, () => pool.refresh(phone.refresh));
    const docs = await list(desk.access);
    expect(docs.map(({ device, isCurrent }) => [device, isCurrent])).toEqual([
      [{ browser: 'Firefox', system: 'Android' }, false],
      [null, true],
    ]);
    const [first] = docs;
    expect(Date.parse(first?.usedAt ?? '') - Date.parse(first?.signedInAt ?? '')).toBe(2000);
  });

  it('revokes a session of the same user only', async () => {
    const { email } = await pool.createUser();
    const phone = await device(email, 'Phone');
    const desk = await device(email, 'Desk');
    const other = await device((await pool.createUser()).email, 'Other');
    const id = (await list(desk.access)).find(({ isCurrent }) => !isCurrent)?.id;
    expect((await send('DELETE', `/sessions/${id}`, other.access)).statusCode).toBe(404);
    expect((await pool.refresh(phone.refresh)).status).toBe(200);
    expect((await send('DELETE', `/sessions/${id}`, desk.access)).json()).toEqual({});
    expect((await pool.refresh(phone.refresh)).at('message')).toBe('Refresh Token has been revoked');
    expect((await send('DELETE', `/sessions/${id}`, desk.access)).statusCode).toBe(404);
    expect(await list(desk.access)).toHaveLength(1);
  });

  it('[IDP-03] a revoked session does not continue by the cookie of the hosted pages', async () => {
    const { email } = await pool.createUser();
    const { access } = await device(email, 'Phone');
    const { browser, code, verifier, query } = await authorize(pool.app, { email, password });
    expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(200);
    const open = async () => getLocation(await browser.get(`/identity/oauth2/authorize?${query}`));
    const unredeemed = (await open()).searchParams.get('code') ?? '';
    const id = (await list(access)).find(({ isCurrent }) => !isCurrent)?.id;
    expect((await send('DELETE', `/sessions/${id}`, access)).statusCode).toBe(200);
    expect((await exchangeCode(pool.app, unredeemed, verifier)).statusCode).toBe(400);
    expect((await open()).pathname).toBe('/identity/login');
  });

  it('[IDP-02] lists the implicit grant until its access token expires', async () => {
    const { email } = await pool.createUser();
    await authorize(pool.app, { email, password }, { response_type: 'token' });
    const { refresh } = await device(email, 'Desk');
    async function countSessions() {
      const access = (await pool.refresh(refresh)).at('AuthenticationResult', 'AccessToken');
      return (await list(access)).length;
    }
    expect(await pool.withClockAdvanced(3_599_000, countSessions)).toBe(2);
    expect(await pool.withClockAdvanced(3_600_000, countSessions)).toBe(1);
  });

  it('revokes all other sessions', async () => {
    const { email } = await pool.createUser();
    const others = [await device(email, 'A'), await device(email, 'B')];
    const mine = await device(email, 'Mine');
    expect((await send('DELETE', '/sessions', mine.access)).statusCode).toBe(200);
    for (const { refresh } of others) expect((await pool.refresh(refresh)).status).toBe(400);
    expect((await list(mine.access)).map(({ isCurrent }) => isCurrent)).toEqual([true]);
  });

  it.each([
    ['nothing', ''],
    ['nonsense', 'x.y.z'],
    ['an id token', 'ID'],
  ])('responds to %s with 401', async (_, token) => {
    const { email } = await pool.createUser();
    const idToken = (await pool.signIn(email)).at('AuthenticationResult', 'IdToken');
    const response = await send('GET', '/sessions', token.replace('ID', idToken));
    expect(response.statusCode).toBe(401);
    expect(response.json().error.code).toBe('unauthorized');
  });

  it('responds with 401 to a revoked session, and with token_expired to an expired token', async () => {
    const { email } = await pool.createUser();
    const { access, refresh } = await device(email, 'A');
    const late = await pool.withClockAdvanced(3_600_000, () => send('GET', '/sessions', access));
    expect(late.json().error.code).toBe('token_expired');
    await pool.call('RevokeToken', { ClientId: clientId, Token: refresh });
    expect((await send('GET', '/sessions', access)).json().error.code).toBe('unauthorized');
  });

  it.each(['x', '%00', '00000000-0000-0000-0000-000000000000', "' or 1=1"])(
    'responds to the id %s with 400 or 404',
    async (id) => {
      const { access } = await device((await pool.createUser()).email, 'A');
      const response = await send('DELETE', `/sessions/${id}`, access);
      expect([400, 404]).toContain(response.statusCode);
      expect(await list(access)).toHaveLength(1);
    },
  );
});
