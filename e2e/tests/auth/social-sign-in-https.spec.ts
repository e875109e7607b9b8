import { generate } from 'selfsigned';
import { createEmail, skipOnboarding } from '../../support/app/users.ts';
import { PRODUCT_FIXTURE_TIMEOUT_MS } from '../../support/product.ts';
import { type TestProxy, withProxiedProduct } from '../../support/proxy.ts';
import { test as base, expect } from '../../support/test.ts';

/** An isolated product behind an HTTPS proxy, as in production. */
const test = base.extend<{ testProxy: TestProxy }>({
  testProxy: [
    async ({ page }, use) => {
      const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
      await withProxiedProduct(page, use, { certificate: { key, cert } });
    },
    { timeout: PRODUCT_FIXTURE_TIMEOUT_MS },
  ],
});
test.use({ ignoreHTTPSErrors: true });

test('[AUTH-08] [AUTH-09] over https Google sign-in uses the identity client’s redirect', async ({
  page,
  testProxy,
}) => {
  await page.goto(`${testProxy.origin}/auth/sign-in?returnTo=%2Flibrary`);
  const authorizeRequest = page.waitForRequest(/\/oauth2\/authorize\?/);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  const query = new URL((await authorizeRequest).url()).searchParams;
  expect(query.get('code_challenge_method')).toBe('S256');
  expect(query.get('redirect_uri')).toBe(`${testProxy.origin}/auth/sign-in`);

  await expect(page).toHaveURL(/\/identity\/stand-in/);
  await page.getByRole('radio', { name: /somebody else|someone else/i }).check();
  await page.getByLabel(/^name$/i).fill('Inés Vega');
  await page.getByLabel(/^email$/i).fill(createEmail());
  await page.getByRole('button', { name: /^sign in$/i }).click();
  await expect(page).toHaveURL(`${testProxy.origin}/library`);
  await skipOnboarding(page);
  await expect(page.getByRole('button', { name: 'Your account' })).toHaveText('IV');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Your account' })).toHaveText('IV');

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/auth\/sign-in$/);
  await page.goto(`${testProxy.origin}/discover`);
  await expect(page).toHaveURL(/\/auth\/sign-in\?returnTo=/);
});
