import { api } from '@escucho/contracts';
import { screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fillField, findButton, getCurrentUrl, mockPortal, renderApp } from '#testing/app.tsx';
import {
  challengeWith,
  inOrder,
  issueTokens,
  mockIdentity,
  type Operation,
  rejectWith,
} from '#testing/identity.ts';
import { mockEndpoint } from '#testing/server.ts';

/** Submits e-mail and password; the identity provider then sends the replies to the challenges in their order. */
async function signIn(
  ...replies: Parameters<typeof inOrder>
): Promise<Awaited<ReturnType<typeof renderApp>> & { requests: ReturnType<typeof mockIdentity> }> {
  const requests = mockIdentity({ RespondToAuthChallenge: inOrder(...replies) });
  mockPortal();
  const rendered = await renderApp('/auth/sign-in?returnTo=%2Flibrary', { passkeys: true });
  await fillField(await screen.findByLabelText('Email'), 'ana@example.org');
  await fillField(screen.getByLabelText('Password'), 'Escucho2026');
  await rendered.user.click(await findButton('Sign in'));
  return { ...rendered, requests };
}

const operation: Operation = 'RespondToAuthChallenge';
const findAnswers = (requests: ReturnType<typeof mockIdentity>) =>
  requests.filter((request) => request.operation === operation).map(({ body }) => body.ChallengeResponses);
const codeMismatch = rejectWith('CodeMismatchException', 'Invalid code received for user');

it('sign-in asks for the code of the authenticator app, then redirects to returnTo', async () => {
  const { user, requests } = await signIn(challengeWith('SOFTWARE_TOKEN_MFA'), issueTokens);
  const code = await screen.findByLabelText('Code from your app');
  await waitFor(() => expect(code).toHaveFocus());
  expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await fillField(code, '123 456');
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(getCurrentUrl()).toBe('/library'));
  expect(findAnswers(requests).at(-1)).toEqual({
    USERNAME: 'user-1',
    SOFTWARE_TOKEN_MFA_CODE: '123456',
  });
});

it('a wrong code of the app marks its field and shows what to do', async () => {
  const { user } = await signIn(challengeWith('SOFTWARE_TOKEN_MFA'), codeMismatch, issueTokens);
  const code = await screen.findByLabelText('Code from your app');
  await fillField(code, '000000');
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(code).toHaveAccessibleDescription(/^Enter the code your app shows now\./));
  expect(code).toHaveFocus();
  await user.clear(code);
  await fillField(code, '123456');
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(getCurrentUrl()).toBe('/library'));
});

it('a recovery code takes the place of the app', async () => {
  const { user, requests } = await signIn(challengeWith('SOFTWARE_TOKEN_MFA'), codeMismatch, issueTokens);
  await user.click(await findButton('Use a recovery code'));
  const code = await screen.findByLabelText('Recovery code');
  await fillField(code, 'AAAAA-1111');
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(code).toHaveAccessibleDescription(/^Check it for typing mistakes/));
  await fillField(code, '1');
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(getCurrentUrl()).toBe('/library'));
  expect(findAnswers(requests).at(-1)).toMatchObject({ SOFTWARE_TOKEN_MFA_CODE: 'AAAAA-11111' });
});

it('several second factors are offered for selection', async () => {
  const { user, requests } = await signIn(
    challengeWith('SELECT_MFA_TYPE', { MFAS_CAN_CHOOSE: '["SOFTWARE_TOKEN_MFA","EMAIL_OTP"]' }),
    challengeWith('EMAIL_OTP', {
      CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL',
      CODE_DELIVERY_DESTINATION: 'a***@e***',
    }),
    issueTokens,
  );
  expect(await findButton('Authenticator app')).toBeInTheDocument();
  await user.click(await findButton('Code by email'));
  expect(await screen.findByText('We sent a code to a***@e***. Enter it here.')).toBeInTheDocument();
  await fillField(screen.getByLabelText('Confirmation code'), '654321');
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(getCurrentUrl()).toBe('/library'));
  expect(findAnswers(requests).slice(1)).toMatchObject([
    { ANSWER: 'EMAIL_OTP' },
    { EMAIL_OTP_CODE: '654321' },
  ]);
});

it('a challenge that has expired leads back to the password with the reason', async () => {
  const { user } = await signIn(
    challengeWith('SOFTWARE_TOKEN_MFA'),
    rejectWith('NotAuthorizedException', 'Invalid session for the user, session is expired.'),
  );
  await fillField(await screen.findByLabelText('Code from your app'), '123456');
  await user.click(await findButton('Confirm'));
  expect(await screen.findByText('That took too long. Please try again.')).toBeInTheDocument();
  expect(await screen.findByLabelText('Password')).toBeInTheDocument();
});

it('[AUTH-11] a sign-in that the portal fails after the code starts again at the password', async () => {
  const { user } = await signIn(challengeWith('SOFTWARE_TOKEN_MFA'), issueTokens);
  mockEndpoint(api.auth.signInCognito, 'unavailable');
  await fillField(await screen.findByLabelText('Code from your app'), '123456');
  await user.click(await findButton('Confirm'));
  expect(await screen.findByText(/^The service is not available right now/)).toBeInTheDocument();
  const password = await screen.findByLabelText('Password');
  mockPortal();
  await fillField(password, 'Escucho2026');
  await user.click(await findButton('Sign in'));
  await waitFor(() => expect(getCurrentUrl()).toBe('/library'));
});

it('“Start again” leads back to the password', async () => {
  const { user } = await signIn(challengeWith('SOFTWARE_TOKEN_MFA'));
  await user.click(await findButton('Start again'));
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
});

it('the e-mail stays filled in when the sign-in starts again; the password does not', async () => {
  const { user } = await signIn(challengeWith('SOFTWARE_TOKEN_MFA'));
  await user.click(await findButton('Start again'));
  expect(await screen.findByLabelText('Email')).toHaveValue('ana@example.org');
  expect(screen.getByLabelText('Password')).toHaveValue('');
});

it('an authenticator app that the provider requires is set up at sign-in', async () => {
  const { user, requests } = await signIn(
    challengeWith('MFA_SETUP', { MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' }),
    issueTokens,
  );
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeInTheDocument();
  expect(screen.getByDisplayValue('ABCD EFGH IJKL MNOP')).toBeInTheDocument();
  await fillField(screen.getByLabelText('Code from your app'), '123456');
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(getCurrentUrl()).toBe('/library'));
  expect(requests.map((request) => request.operation)).toContain('VerifySoftwareToken');
});

/** Opens the sign-in page in a browser that offers passkeys in its autofill; `select` answers its requests. */
async function renderWithAutofill(select: () => Promise<unknown>) {
  const support = { isConditionalMediationAvailable: async () => true };
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => undefined, support),
  );
  Object.defineProperty(navigator, 'credentials', { value: { get: select }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'credentials'));
  mockIdentity({
    InitiateAuth: challengeWith('WEB_AUTHN', {
      CREDENTIAL_REQUEST_OPTIONS: JSON.stringify({ challenge: 'AAAA' }),
    }),
    RespondToAuthChallenge: rejectWith('NotAuthorizedException', 'Invalid session for the user.'),
  });
  return renderApp('/auth/sign-in', { passkeys: true });
}

it('[AUTH-13] the autofill offers passkeys again after a failure', async () => {
  const passkey = {
    id: 'AAAA',
    rawId: new ArrayBuffer(3),
    type: 'public-key',
    response: {
      authenticatorData: new ArrayBuffer(3),
      clientDataJSON: new ArrayBuffer(3),
      signature: new ArrayBuffer(3),
      userHandle: null,
    },
    getClientExtensionResults: () => ({}),
  };
  const select = vi
    .fn()
    .mockResolvedValueOnce(passkey)
    .mockReturnValue(new Promise(() => undefined));
  await renderWithAutofill(select);
  expect(await screen.findByText(/took too long/)).toBeInTheDocument();
  await waitFor(() => expect(select).toHaveBeenCalledTimes(2));
});

it('[AUTH-13] an autofill that cannot offer passkeys shows no error', async () => {
  // DOMException of jsdom is no Error.
  const error = Object.assign(new Error('The relying party differs.'), { name: 'SecurityError' });
  const select = vi.fn().mockRejectedValue(error);
  const { user } = await renderWithAutofill(select);
  await waitFor(() => expect(select).toHaveBeenCalledOnce());
  await user.type(screen.getByLabelText('Email'), 'ana@example.org');
  expect(screen.queryByText(/^This browser could not use a passkey/)).toBeNull();
  await user.click(await findButton('Sign in with a passkey'));
  expect(await screen.findByText(/^This browser could not use a passkey/)).toBeInTheDocument();
});
