import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type APIRequestContext, type BrowserContext, expect, type Page } from '@playwright/test';

export interface TestUser {
  email: string;
  password: string;
}

export const password = 'Escucho2026';
/** A user with a subscription. */
export const demoUser: TestUser = { email: 'demo@escucho.test', password };
/** A user without a subscription. */
export const freeUser: TestUser = { email: 'free@escucho.test', password };

const getStorageStatePath = (name: string) =>
  fileURLToPath(new URL(`../../.cache/e2e-users/${name}.json`, import.meta.url));

/** Playwright's storage states of the two users, as files that the project `sign-in` writes. */
export const storageStates = { demo: getStorageStatePath('demo'), free: getStorageStatePath('free') };

/**
 * Answers a context's progress requests in the page. Tests that share a user run concurrently; none may resume at the
 * position of another. A route would miss the requests that a page sends while it unloads.
 */
export const discardProgress = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const { fetch } = window;
    window.fetch = async (input, init) => {
      if (!String(input).endsWith('/api/listening/progress')) return fetch(input, init);
      const { track, position }: { track: string; position: number } = JSON.parse(String(init?.body));
      return Response.json({ track, progress: position });
    };
  });

/** Returns the `Authorization` header of the user who is signed in on a page. */
export const getAuthorization = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('.accessToken'));
    return `Bearer ${localStorage.getItem(key ?? '')}`;
  });

/** Returns an unused e-mail address. */
export const createEmail = () => `user-${randomBytes(6).toString('hex')}@escucho.test`;

/** Waits for a mail with a verification code to an address, and returns the newest code. */
export async function getVerificationCode(request: APIRequestContext, email: string): Promise<string> {
  let code = '';
  await expect
    .poll(async () => {
      const response = await request.get('/outbox/messages', { params: { to: email } });
      const messages: { code: string | null }[] = await response.json();
      code = messages[0]?.code ?? '';
      return code;
    }, 'a mail with a code arrives')
    .not.toBe('');
  return code;
}

/** Creates a confirmed account without a subscription through the API of the identity provider. */
export async function createUser(request: APIRequestContext): Promise<TestUser> {
  const { identity }: { identity: { clientId: string } } = await (await request.get('/config.json')).json();
  const email = createEmail();
  const call = async (operation: string, data: object) => {
    const response = await request.post('/identity/', {
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      },
      data: JSON.stringify({ ClientId: identity.clientId, Username: email, ...data }),
    });
    expect(response.status(), `${operation}: ${await response.text()}`).toBe(200);
  };
  const attributes = { email, given_name: 'Nora', family_name: 'Quispe' };
  await call('SignUp', {
    Password: password,
    UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
  });
  await call('ConfirmSignUp', { ConfirmationCode: await getVerificationCode(request, email) });
  return { email, password };
}

export async function submitSignIn(page: Page, user: TestUser) {
  await page.getByLabel('Email', { exact: true }).fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in on the sign-in page and waits for Discover. */
export async function signIn(page: Page, user: TestUser): Promise<void> {
  await page.goto('/auth/sign-in');
  await submitSignIn(page, user);
  await expect(page).toHaveURL('/discover');
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
}
