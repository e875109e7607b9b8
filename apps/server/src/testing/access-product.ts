import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { silentLog as silent } from '@escucho/database/testing';
import { seedAccount } from '@escucho/identity';
import { loadLibrary } from '@escucho/portal';
import type { InjectOptions } from 'fastify';
import { expect } from 'vitest';
import { writeLibrary } from '../../../../services/portal/src/testing/library.ts';
import { toIdentityPoolId } from '../public-config.ts';
import { findFreePort, password, prepareProduct, signInByPassword } from './product.ts';

/** Who sends a request, by the bearer token or key of the request. */
export const roles = [
  'nobody',
  'publicKey',
  'secretKey',
  'adminKey',
  'operatorUser',
  'otherUser',
  'owner',
] as const;
export type Role = (typeof roles)[number];

/**
 * Starts the whole product in demo mode with a small library and a user of each role. The owner has data of every kind.
 * @param options.performJobs false for a product whose data changes by requests only
 */
export async function startAccessProduct({ performJobs = true } = {}) {
  const { directory, connection, instance, mediaStore, build } = await prepareProduct();
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    DEMO: 'true',
    IDENTITY_ALLOW: 'USER_PASSWORD_AUTH,CUSTOM_AUTH,guests',
  };
  const { app, settings } = await build(env, undefined, { performJobs });
  // The portal reaches the simulated gateways of operators through the network.
  await app.listen({ port, host: settings.host });
  const content = join(directory, 'content');
  await writeLibrary(content);
  await loadLibrary({ connection, mediaStore, directory: content, log: silent });

  /** Sends a request that must succeed. Returns the parsed body. */
  async function request(method: 'GET' | 'POST' | 'PUT', url: string, options: InjectOptions = {}) {
    const response = await app.inject({ method, url, ...options });
    expect(response.statusCode, `${url}: ${response.body}`).toBe(200);
    return response.json();
  }

  /** Creates an account with two sessions, and its user in the portal. */
  async function createUser() {
    const email = `user-${randomUUID()}@escucho.test`;
    const { userPoolId: poolId, identitySecret: secret } = instance;
    await seedAccount(
      { connection, poolId, secret },
      { email, password, firstName: 'Ana', lastName: 'Ruiz' },
    );
    await signInByPassword(app, instance.clientId, email);
    const tokens = await signInByPassword(app, instance.clientId, email);
    const headers = { authorization: `Bearer ${tokens.AccessToken}` };
    const payload = { idToken: tokens.IdToken };
    const { user } = await request('POST', '/api/auth/sign-in-cognito', { headers, payload });
    return { id: String(user._id), email, tokens, headers };
  }
  type User = Awaited<ReturnType<typeof createUser>>;

  /** Buys a subscription with a card of the sandbox. */
  async function buy({ id, email, headers }: User) {
    const { token } = await request('POST', '/api/subscription/purchase-token', { headers });
    const { data } = await request('POST', '/billing/rcbilling/v1/subscribe', {
      headers: { authorization: `Bearer ${instance.billing.sandboxKey}`, 'x-purchase-token': token },
      payload: {
        app_user_id: id,
        product_id: 'escucho_monthly',
        email,
        presented_offering_identifier: 'default',
      },
    });
    const payload = { client_secret: data.client_secret, outcome: 'succeeded' };
    await request('POST', '/billing/sandbox/confirm', { payload });
  }

  /** Signs in the simulated active subscriber of an operator. Returns the access token. */
  async function signInByOperator(): Promise<string> {
    const { body } = await app.inject('/operators/bitel');
    const escaped = /href="\/auth-external\?([^"]+)"/.exec(body)?.[1] ?? '';
    const query = escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    const payload = { platform: 'bitel', ...Object.fromEntries(new URLSearchParams(query)) };
    const { accessToken } = await request('POST', '/api/auth/sign-in-third-parties', { payload });
    return String(accessToken);
  }

  const owner = await createUser();
  const otherUser = await createUser();
  await buy(owner);
  const { headers } = owner;
  const { docs } = await request('GET', '/api/catalogue/articles?kind=article', { headers });
  const [article, secondArticle, thirdArticle] = docs.map(({ _id }: { _id: string }) => _id);
  if (!article || !secondArticle || !thirdArticle) throw new Error('The catalogue has too few articles.');
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const playlist = await request('POST', '/api/playlist', { headers: form, payload: 'name=Mine+alone' });
  const bookmark = randomUUID();
  const payload = { track: article, position: 1, note: 'A private note' };
  await request('PUT', `/api/bookmarks/${bookmark}`, { headers, payload });
  await request('POST', '/api/listening/progress', {
    headers,
    payload: {
      track: article,
      device: randomUUID(),
      sequence: 1,
      position: 10,
      cause: 'pause',
      at: new Date().toISOString(),
    },
  });
  const sessions = await request('GET', '/identity/sessions', { headers });
  const otherSession = sessions.docs.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);

  const credentials: Record<Role, string> = {
    nobody: '',
    publicKey: instance.billing.sandboxKey,
    secretKey: instance.billing.secretKey,
    adminKey: instance.identityAdminKey,
    operatorUser: await signInByOperator(),
    otherUser: String(otherUser.tokens.AccessToken),
    owner: String(owner.tokens.AccessToken),
  };
  const values: Record<string, string> = {
    user: owner.id,
    email: owner.email,
    session: otherSession.id,
    refreshToken: String(owner.tokens.RefreshToken),
    idToken: String(owner.tokens.IdToken),
    article,
    secondArticle,
    thirdArticle,
    bookmark,
    playlist: String(playlist._id),
    password,
    poolId: instance.userPoolId,
    clientId: instance.clientId,
    identityPoolId: toIdentityPoolId(instance),
    origin: `http://localhost:${port}`,
    uuid: '6f1d2c3b-4a59-4687-9786-a5b4c3d2e1f0',
  };

  /** Replaces the accounts, and the operator's user's session, for a row that ends a session or an account. */
  async function replaceUsers() {
    credentials.operatorUser = await signInByOperator();
    credentials.otherUser = String((await createUser()).tokens.AccessToken);
    credentials.owner = String((await createUser()).tokens.AccessToken);
  }
  return { app, connection, credentials, values, replaceUsers };
}
