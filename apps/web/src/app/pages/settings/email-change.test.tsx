import { api, identityApi } from '@escucho/contracts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { endEmailChange } from '#features/session/account.ts';
import {
  activeSubscription,
  ana,
  fillField,
  findButton,
  findDialog,
  mockSignedInUser,
  openProfileSettings,
} from '#testing/app.tsx';
import { mockIdentity, rejectWith, storeSession } from '#testing/identity.ts';
import { mockLocks } from '#testing/locks.ts';
import { mockEndpoint } from '#testing/server.ts';

beforeEach(() => {
  endEmailChange();
  mockSignedInUser();
  mockEndpoint(identityApi.listSessions, { docs: [] });
});

const email = 'ana@new.example';
const changed = { user: { ...ana, email }, subscription: activeSubscription };

/** Opens the settings, enters a new address, and requests the code that is sent to it. */
async function requestCode(address: string) {
  const { user } = await openProfileSettings();
  await user.click(await findButton('Change email'));
  const form = await findDialog();
  await fillField(form.getByLabelText('New email'), address);
  await user.click(form.getByRole('button', { name: 'Send code' }));
  return { user, form };
}

describe('e-mail', () => {
  it('[IDP-01] is changed by the code sent to the new one, at the portal too', async () => {
    const requests = mockIdentity();
    const signInRequests = mockEndpoint(api.auth.signInCognito, changed);
    const { user, form } = await requestCode(email);
    mockEndpoint(api.auth.me, changed);
    const code = await form.findByLabelText('Confirmation code');
    expect(code).toHaveAttribute('autocomplete', 'one-time-code');
    await user.click(form.getByRole('button', { name: 'Resend code' }));
    await form.findByText(/^\(\d+ s\)$/);
    await fillField(code, '123456');
    await user.click(form.getByRole('button', { name: 'Confirm' }));
    expect(
      await screen.findByText('Your email has changed. Sign in with ana@new.example from now on.'),
    ).toBeInTheDocument();
    expect(requests.map(({ operation }) => operation)).toEqual([
      'UpdateUserAttributes',
      'GetUserAttributeVerificationCode',
      'VerifyUserAttribute',
      'GetTokensFromRefreshToken',
    ]);
    expect(signInRequests).toHaveLength(1);
    expect((await screen.findAllByText(email)).length).toBeGreaterThan(0);
  });

  it('[AUTH-10] is changed without refreshing the tokens beside another tab', async () => {
    const { lockInOtherTab, countWaiting } = mockLocks();
    const requests = mockIdentity();
    mockEndpoint(api.auth.signInCognito, changed);
    const { user, form } = await requestCode(email);
    await fillField(await form.findByLabelText('Confirmation code'), '123456');
    const finishRefresh = lockInOtherTab('session-refresh');
    await user.click(form.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(countWaiting('session-refresh')).toBe(1));
    expect(requests.map(({ operation }) => operation)).not.toContain('GetTokensFromRefreshToken');
    finishRefresh();
    expect(await screen.findByText(/^Your email has changed\./)).toBeInTheDocument();
    expect(requests.map(({ operation }) => operation)).toContain('GetTokensFromRefreshToken');
  });

  it('[IDP-01] is reported as changed where the portal cannot be updated now', async () => {
    mockIdentity();
    const requests = mockEndpoint(api.auth.signInCognito, 'unavailable');
    const { user, form } = await requestCode(email);
    await fillField(await form.findByLabelText('Confirmation code'), '123456');
    await user.click(form.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(
      await screen.findByText('Your email has changed. Sign in with ana@new.example from now on.'),
    ).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('[IDP-01] is changed at the portal on the next visit after an interruption', async () => {
    storeSession(3600, { email });
    const signInRequests = mockEndpoint(api.auth.signInCognito, () => {
      mockEndpoint(api.auth.me, changed);
      return changed;
    });
    await openProfileSettings();
    expect((await screen.findAllByText(email)).length).toBeGreaterThan(0);
    expect(signInRequests).toHaveLength(1);
  });

  it('[IDP-01] the step of the code is shown again after its dialog was closed', async () => {
    const requests = mockIdentity();
    mockEndpoint(api.account.findSecurityEvents, { docs: [], totalDocs: 0 });
    const { user, form } = await requestCode(email);
    await form.findByLabelText('Confirmation code');
    await user.click(form.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();

    await user.click(screen.getByRole('link', { name: 'Security' }));
    await user.click(await screen.findByRole('link', { name: 'Profile' }));
    await user.click(await findButton('Change email'));
    const reopened = await findDialog();
    expect(reopened.getByText('We sent a code to ana@new.example. Enter it here.')).toBeInTheDocument();
    const changes = requests.filter(({ operation }) => operation === 'UpdateUserAttributes');
    expect(changes).toHaveLength(1);
    await user.click(reopened.getByRole('button', { name: 'Another address' }));
    expect(reopened.getByLabelText('New email')).toHaveFocus();
  });

  it('[IDP-01] the step of the code is not shown again after a day', async () => {
    mockIdentity();
    const { user, form } = await requestCode(email);
    await form.findByLabelText('Confirmation code');
    await user.click(form.getByRole('button', { name: 'Close' }));
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 24 * 60 * 60 * 1000);
    await user.click(await findButton('Change email'));
    expect((await findDialog()).getByLabelText('New email')).toBeInTheDocument();
  });

  it('[AUTH-11] one of another account shows an error', async () => {
    mockIdentity({
      UpdateUserAttributes: rejectWith('AliasExistsException', 'An account with the email already exists.'),
    });
    const { form } = await requestCode('bea@example.org');
    expect(await screen.findByText('An account with the given email already exists.')).toBeInTheDocument();
    expect(form.getByLabelText('New email')).toBeInTheDocument();
  });
});
