import { publicConfig } from '@escucho/contracts';
import { seedAccount } from '@escucho/identity';
import { describe, expect, it } from 'vitest';
import { demoAccounts, prepareDemoAccounts } from './demo-accounts.ts';
import { prepareProduct, requestOperation } from './testing/product.ts';

const { connection, instance, build } = await prepareProduct();

const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@escucho.test' };
const publicDemo = { DEMO: 'true', HOST: '0.0.0.0', PUBLIC_URL: 'https://demo.example' };

/** Starts the product on the same data, with other environment variables. */
async function start(env: NodeJS.ProcessEnv) {
  const { app, settings } = await build({ IDENTITY_ALLOW: 'USER_PASSWORD_AUTH', ...mail, ...env });
  await prepareDemoAccounts(connection, instance, settings);

  const initiateAuth = async (AuthFlow: string, AuthParameters: object) => {
    const body = { ClientId: instance.clientId, AuthFlow, AuthParameters };
    return (await requestOperation(app, 'InitiateAuth', body)).json();
  };
  const signIn = ({ email, password }: { email: string; password: string }) =>
    initiateAuth('USER_PASSWORD_AUTH', { USERNAME: email, PASSWORD: password });
  const refresh = (token: string) => initiateAuth('REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: token });
  const get = async (url: string, token: string) =>
    (await app.inject({ url, headers: { authorization: `Bearer ${token}` } })).json();
  const getConfig = async (host: string) =>
    publicConfig.parse((await app.inject({ url: '/config.json', headers: { host } })).json());
  return { app, signIn, refresh, get, getConfig };
}

describe('after demo mode, on the same data', () => {
  it('demo accounts cannot sign in, and nothing that was not paid gives access', async () => {
    const demo = await start({ DEMO: 'true' });
    const [subscribed] = demoAccounts;
    const { AccessToken: accessToken, RefreshToken: refreshToken } = (await demo.signIn(subscribed))
      .AuthenticationResult;
    const { user, subscription } = await demo.get('/api/auth/me', accessToken);
    expect(subscription).toMatchObject({ isActive: true, store: 'promotional' });
    await demo.app.close();

    const live = await start({ DEMO: 'false' });
    for (const account of demoAccounts) {
      expect(await live.signIn(account)).toMatchObject({ __type: 'NotAuthorizedException' });
    }
    expect(await live.refresh(refreshToken)).toMatchObject({ __type: 'NotAuthorizedException' });
    const subscriber = await live.get(`/billing/v1/subscribers/${user._id}`, instance.billing.secretKey);
    expect(subscriber.subscriber.entitlements).toEqual({});
    // Access tokens are valid for up to an hour.
    const after = await live.get('/api/auth/me', accessToken);
    expect(after.subscription?.isActive ?? false).toBe(false);
    await live.app.close();

    const again = await start({ DEMO: 'true' });
    const { AccessToken: token } = (await again.signIn(subscribed)).AuthenticationResult;
    expect((await again.get('/api/auth/me', token)).subscription.isActive).toBe(true);
  });

  it('a demo account is disabled behind many newer accounts of similar addresses', async () => {
    const [account] = demoAccounts;
    const demo = await start({ DEMO: 'true' });
    await demo.app.close();
    const options = { connection, poolId: instance.userPoolId, secret: instance.identitySecret };
    for (let number = 0; number < 150; number += 1)
      await seedAccount(options, { ...account, email: `${number}${account.email}` });

    const live = await start({ DEMO: 'false' });
    expect(await live.signIn(account)).toMatchObject({ __type: 'NotAuthorizedException' });
    const { AuthenticationResult: result } = await live.signIn({ ...account, email: `7${account.email}` });
    expect(result).toBeDefined();
    await live.app.close();
  });
});

describe('/config.json reports whether demo mode is public', () => {
  it.each([
    ['at a public URL', publicDemo, 'demo.example', true],
    ['on every interface', { DEMO: 'true', HOST: '0.0.0.0' }, 'localhost:3000', true],
    ['behind a proxy with another name', {}, 'escucho.example', true],
    ['not on a loopback address', {}, 'localhost:3000', false],
    ['not on a loopback address in numbers', {}, '127.0.0.1:3000', false],
    ['not without demo mode', { ...publicDemo, DEMO: 'false' }, 'demo.example', false],
  ])('%s', async (_name, env, host, expected) => {
    const { getConfig } = await start(env);
    expect((await getConfig(host)).publicDemo).toBe(expected);
  });
});
