import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import { createSrpClient } from '../../../services/identity/src/testing/srp-client.ts';
import { expect } from '../browser.ts';

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
  fileURLToPath(new URL(`../../../.cache/e2e-users/${name}.json`, import.meta.url));

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
      code = messages.find((message) => message.code !== null)?.code ?? '';
      return code;
    }, 'a mail with a code arrives')
    .not.toBe('');
  return code;
}

async function readIdentityConfig(
  request: APIRequestContext,
): Promise<{ clientId: string; userPoolId: string }> {
  return (await (await request.get('/config.json')).json()).identity;
}

/** Calls an operation of the identity provider, which speaks the protocol of Amazon Cognito. */
async function callIdentity(request: APIRequestContext, operation: string, data: object) {
  const response = await request.post('/identity/', {
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    data: JSON.stringify(data),
  });
  expect(response.status(), `${operation}: ${await response.text()}`).toBe(200);
  return response.json();
}

/** Signs in through the API of the identity provider. Returns the id that it uses for SRP, and the tokens. */
async function authenticate(request: APIRequestContext, user: TestUser) {
  const { clientId: ClientId, userPoolId } = await readIdentityConfig(request);
  const client = createSrpClient(userPoolId.split('_')[1] ?? '');
  const { ChallengeParameters } = await callIdentity(request, 'InitiateAuth', {
    ClientId,
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: user.email, SRP_A: client.A },
  });
  const { AuthenticationResult } = await callIdentity(request, 'RespondToAuthChallenge', {
    ClientId,
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeResponses: client.solve(ChallengeParameters, user.password, new Date()),
  });
  return { ClientId, ChallengeParameters, AuthenticationResult };
}

/** Creates a confirmed account without a subscription, which has skipped the questions of a first visit, through the APIs. */
export async function createUser(request: APIRequestContext): Promise<TestUser> {
  const { clientId: ClientId } = await readIdentityConfig(request);
  const email = createEmail();
  const attributes = { email, given_name: 'Nora', family_name: 'Quispe' };
  await callIdentity(request, 'SignUp', {
    ClientId,
    Username: email,
    Password: password,
    UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
  });
  const ConfirmationCode = await getVerificationCode(request, email);
  await callIdentity(request, 'ConfirmSignUp', { ClientId, Username: email, ConfirmationCode });
  const user = { email, password };
  const { AccessToken, RefreshToken } = (await authenticate(request, user)).AuthenticationResult;
  const skipped = await request.put('/api/settings', {
    headers: { authorization: `Bearer ${AccessToken}` },
    data: { isOnboarded: true },
  });
  expect(skipped.status()).toBe(200);
  // Tests that list or end sessions have none but their own.
  await callIdentity(request, 'RevokeToken', { ClientId, Token: RefreshToken });
  return user;
}

/** The questions that a user who signed up gets at the first visit. */
export const getOnboarding = (page: Page) =>
  page.getByRole('dialog', { name: /^(What do you want to learn\?|How well do you know it\?)$/ });

/** Skips these questions, for which it waits, and waits until the answer is saved. */
export async function skipOnboarding(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  // The dialog closes before the answer is saved; a reload in between would ask again.
  const saved = page.waitForResponse(
    (response) => response.ok() && (response.request().postData() ?? '').includes('isOnboarded'),
  );
  await dialog.getByRole('button', { name: /^(Skip|Omitir)$/ }).click();
  await expect(dialog).toBeHidden();
  await saved;
}

export async function submitSignIn(page: Page, user: TestUser) {
  await page.getByLabel('Email', { exact: true }).fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in through the API. Returns the local storage items that the app keeps of a session. */
async function createSession(request: APIRequestContext, user: TestUser): Promise<Record<string, string>> {
  const { ClientId, ChallengeParameters, AuthenticationResult } = await authenticate(request, user);
  const username: string = ChallengeParameters.USER_ID_FOR_SRP;
  const prefix = `CognitoIdentityServiceProvider.${ClientId}`;
  return {
    [`${prefix}.LastAuthUser`]: username,
    [`${prefix}.${username}.accessToken`]: AuthenticationResult.AccessToken,
    [`${prefix}.${username}.idToken`]: AuthenticationResult.IdToken,
    [`${prefix}.${username}.refreshToken`]: AuthenticationResult.RefreshToken,
    [`${prefix}.${username}.clockDrift`]: '0',
    [`${prefix}.${username}.signInDetails`]: JSON.stringify({
      loginId: user.email,
      authFlowType: 'USER_SRP_AUTH',
    }),
  };
}

/** Signs in without the sign-in page, which other tests cover, and opens a page. Discover takes the longest to load. */
export async function signIn(page: Page, user: TestUser, path = '/discover'): Promise<void> {
  const items = await createSession(page.request, user);
  // A static file of the origin: the app must not start before the session is stored.
  await page.goto('/favicon.svg');
  await page.evaluate((items) => {
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
  }, items);
  await page.goto(path);
  await expect(page.getByRole('button', { name: /Your account|Tu cuenta/ })).toBeVisible();
}
