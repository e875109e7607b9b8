import { generate } from 'selfsigned';
import { type Front, lendProductBehindFront } from '../support/front.ts';
import { startPatience } from '../support/product.ts';
import { newEmail } from '../support/readers.ts';
import { expect, test as story } from '../support/story.ts';

/** A product of its own behind https, as it runs for real behind a proxy. */
const test = story.extend<{ secure: Front }>({
  secure: [
    async ({ page }, use) => {
      const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
      await lendProductBehindFront(page, use, { tls: { key, cert } });
    },
    { timeout: startPatience },
  ],
});
test.use({ ignoreHTTPSErrors: true });

test('[AUTH-08] [AUTH-09] over https Google sign-in uses the identity client’s redirect', async ({
  page,
  secure,
}) => {
  await page.goto(`${secure.origin}/auth/sign-in?returnTo=%2Flibrary`);
  const asked = page.waitForRequest(/\/oauth2\/authorize\?/);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  const query = new URL((await asked).url()).searchParams;
  expect(query.get('code_challenge_method')).toBe('S256');
  expect(query.get('redirect_uri')).toBe(`${secure.origin}/auth/sign-in`);

  await expect(page).toHaveURL(/\/identity\/stand-in/);
  await page.getByRole('radio', { name: /somebody else|someone else/i }).check();
  await page.getByLabel(/^name$/i).fill('Inés Vega');
  await page.getByLabel(/^email$/i).fill(newEmail());
  await page.getByRole('button', { name: /^sign in$/i }).click();
  await expect(page).toHaveURL(`${secure.origin}/library`);
  await expect(page.getByRole('button', { name: 'Your account' })).toHaveText('IV');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Your account' })).toHaveText('IV');

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/auth\/sign-in$/);
  await page.goto(`${secure.origin}/discover`);
  await expect(page).toHaveURL(/\/auth\/sign-in\?returnTo=/);
});
