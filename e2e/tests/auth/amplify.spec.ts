import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import type {} from '../../support/app/amplify-entry.ts';
import { createUser } from '../../support/app/users.ts';
import { addVirtualAuthenticator } from '../../support/input/authenticator.ts';
import { expect, test } from '../../support/test.ts';

const entry = fileURLToPath(new URL('../../support/app/amplify-entry.ts', import.meta.url));

/** Opens an empty page of the product's origin that has aws-amplify as its authors publish it. */
async function openAmplifyPage(page: Page): Promise<void> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'entry' } },
  });
  const bundles = [output].flat();
  const chunks = bundles.flatMap((bundle) => ('output' in bundle ? bundle.output : []));
  const script = chunks.map((chunk) => ('code' in chunk ? chunk.code : '')).join('\n');
  await page.route('**/amplify.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await page.route('**/amplify', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Amplify</title><script src="/amplify.js"></script>',
    }),
  );
  await page.goto('/amplify');
}

test('[IDP-01] [AUTH-13] aws-amplify creates, lists, signs in by and deletes a passkey', async ({ page }) => {
  const user = await createUser(page.request);
  await openAmplifyPage(page);
  await addVirtualAuthenticator(page);
  const result = await page.evaluate(async ({ email: username, password }) => {
    const { Amplify, auth } = window.amplify;
    const { identity } = await (await fetch('/config.json')).json();
    const { userPoolId, clientId: userPoolClientId, endpoint: userPoolEndpoint } = identity;
    Amplify.configure({ Auth: { Cognito: { userPoolId, userPoolClientId, userPoolEndpoint } } });
    await auth.signIn({ username, password });
    const { userId } = await auth.getCurrentUser();
    await auth.associateWebAuthnCredential();
    const created = await auth.listWebAuthnCredentials();
    await auth.signOut();
    const signedIn = await auth.signIn({
      username,
      options: { authFlowType: 'USER_AUTH', preferredChallenge: 'WEB_AUTHN' },
    });
    const isSameUser = (await auth.getCurrentUser()).userId === userId;
    const credentialId = created.credentials[0]?.credentialId ?? '';
    await auth.deleteWebAuthnCredential({ credentialId });
    const remaining = (await auth.listWebAuthnCredentials()).credentials.length;
    return { created, credentialId, isSignedIn: signedIn.isSignedIn, isSameUser, remaining };
  }, user);
  expect(result).toMatchObject({ isSignedIn: true, isSameUser: true, remaining: 0 });
  expect(result.created.credentials).toHaveLength(1);
  expect(result.created.credentials[0]).toMatchObject({ relyingPartyId: 'localhost' });
  expect(result.credentialId).toMatch(/^[\w-]{16,}$/);
});
