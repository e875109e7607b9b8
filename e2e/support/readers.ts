import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type APIRequestContext, type BrowserContext, expect, type Page } from '@playwright/test';

/** Somebody who can sign in. */
export interface Reader {
  email: string;
  password: string;
}

export const password = 'Escucho2026';
/** Has a subscription. */
export const demo: Reader = { email: 'demo@escucho.test', password };
/** Has none. */
export const free: Reader = { email: 'free@escucho.test', password };

/** Where signed-in browsers of the two are kept for the stories that begin inside. */
const kept = (name: string) =>
  fileURLToPath(new URL(`../../.cache/e2e-readers/${name}.json`, import.meta.url));
export const signedIn = { demo: kept('demo'), free: kept('free') };

/**
 * What a context's pages hear is told to nobody: they are answered as by the portal, in the page, since what a page says as it
 * goes is past every route. For readers whom stories share, which run beside each other: none finds a track where another has
 * just left it, near its end perhaps.
 */
export const keepPlaces = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const { fetch } = window;
    window.fetch = async (input, init) => {
      if (!String(input).endsWith('/api/listening/progress')) return fetch(input, init);
      const { track, position }: { track: string; position: number } = JSON.parse(String(init?.body));
      return Response.json({ track, progress: position });
    };
  });

/** The bearer of whoever is signed in on a page of the product. */
export const bearerOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((one) => one.endsWith('.accessToken'));
    return `Bearer ${localStorage.getItem(key ?? '')}`;
  });

/** An address nobody has used yet. */
export const newEmail = () => `reader-${randomBytes(6).toString('hex')}@escucho.test`;

interface Letter {
  code: string | null;
}

/** The newest code that was sent to an address, as the outbox shows it. */
export async function codeFor(request: APIRequestContext, email: string): Promise<string> {
  let code = '';
  await expect
    .poll(async () => {
      const answer = await request.get('/outbox/messages', { params: { to: email } });
      const letters: Letter[] = await answer.json();
      code = letters[0]?.code ?? '';
      return code;
    }, 'a letter with a code arrives')
    .not.toBe('');
  return code;
}

/** Makes a confirmed account without a subscription, by the identity provider's own protocol. */
export async function newReader(request: APIRequestContext): Promise<Reader> {
  const { identity }: { identity: { clientId: string } } = await (await request.get('/config.json')).json();
  const email = newEmail();
  const ask = async (operation: string, data: object) => {
    const answer = await request.post('/identity/', {
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      },
      data: JSON.stringify({ ClientId: identity.clientId, Username: email, ...data }),
    });
    expect(answer.status(), `${operation}: ${await answer.text()}`).toBe(200);
  };
  const named = { email, given_name: 'Nora', family_name: 'Quispe' };
  const attributes = Object.entries(named).map(([Name, Value]) => ({ Name, Value }));
  await ask('SignUp', { Password: password, UserAttributes: attributes });
  await ask('ConfirmSignUp', { ConfirmationCode: await codeFor(request, email) });
  return { email, password };
}

/** Fills the sign-in form where the page shows it, and sends it. */
export async function fillSignIn(page: Page, { email, password: secret }: Reader) {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in from the sign-in page and waits for Discover. */
export async function signIn(page: Page, reader: Reader): Promise<void> {
  await page.goto('/auth/sign-in');
  await fillSignIn(page, reader);
  await expect(page).toHaveURL('/discover');
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
}
