import { api, identityApi, type Session, type User } from '@escucho/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ana,
  emptySettings,
  fillField,
  findButton,
  findDialog,
  mockDownloads,
  mockSignedInUser,
  openProfileSettings,
} from '#testing/app.tsx';
import { createDeferred } from '#testing/deferred.ts';
import { mockIdentity, rejectWith, replyAfter, storeSession } from '#testing/identity.ts';
import { mockLocks } from '#testing/locks.ts';
import { mockEndpoint } from '#testing/server.ts';

const moment = '2026-11-20T10:00:00.000Z';
const session = (id: number, changes: Partial<Session> = {}): Session => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  device: { browser: 'Firefox', system: 'Linux' },
  signedInAt: moment,
  usedAt: moment,
  expiresAt: moment,
  isCurrent: false,
  ...changes,
});
const mockSessions = (...sessions: Session[]) =>
  mockEndpoint(identityApi.listSessions, () => ({ docs: sessions }));

/** Opens the settings and the dialog that changes the password, and submits it. */
async function submitPassword(current: string) {
  const { user } = await openProfileSettings();
  await user.click(await findButton('Change password'));
  const form = await findDialog();
  await fillField(form.getByLabelText('Current password'), current);
  await fillField(form.getByLabelText('New password'), 'Otra2026x');
  await user.click(form.getByRole('button', { name: 'Save password' }));
  return { user, form };
}

beforeEach(() => {
  mockSignedInUser();
  mockSessions(session(1, { isCurrent: true }));
});

describe('password', () => {
  it('[AUTH-02] is changed by the current one, with the rules of sign-up and autocomplete', async () => {
    const requests = mockIdentity();
    const { user } = await openProfileSettings();
    await user.click(await findButton('Change password'));
    const form = await findDialog();
    const [current, next] = [form.getByLabelText('Current password'), form.getByLabelText('New password')];
    expect([current, next].map((field) => field.getAttribute('autocomplete'))).toEqual([
      'current-password',
      'new-password',
    ]);
    await fillField(next, 'weak');
    await user.click(form.getByRole('button', { name: 'Save password' }));
    expect(form.getByText('Password field is required')).toBeInTheDocument();
    expect(requests).toEqual([]);
    await fillField(current, 'Escucho2026');
    await user.clear(next);
    await fillField(next, 'Otra2026x');
    await user.click(form.getByRole('button', { name: 'Save password' }));
    expect(
      await screen.findByText('Your new password is saved. Every other device is signed out.'),
    ).toBeInTheDocument();
    expect(requests.at(-1)).toMatchObject({
      operation: 'ChangePassword',
      body: { PreviousPassword: 'Escucho2026', ProposedPassword: 'Otra2026x' },
    });
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('[AUTH-10] is not changed with tokens that another tab is refreshing', async () => {
    const { lockInOtherTab, countWaiting } = mockLocks();
    const requests = mockIdentity();
    const { user } = await openProfileSettings();
    await user.click(await findButton('Change password'));
    const form = await findDialog();
    await fillField(form.getByLabelText('Current password'), 'Escucho2026');
    await fillField(form.getByLabelText('New password'), 'Otra2026x');
    const finishRefresh = lockInOtherTab('session-refresh');
    storeSession(-10);
    await user.click(form.getByRole('button', { name: 'Save password' }));
    await waitFor(() => expect(countWaiting('session-refresh')).toBe(1));
    expect(requests).toEqual([]);
    storeSession();
    finishRefresh();
    await waitFor(() => expect(requests.map(({ operation }) => operation)).toEqual(['ChangePassword']));
  });

  it('[AUTH-11] a wrong current one marks its field and keeps the form', async () => {
    mockIdentity({ ChangePassword: rejectWith('NotAuthorizedException', 'Incorrect username or password.') });
    const { form } = await submitPassword('Wrong2026');
    const current = form.getByLabelText('Current password');
    const text = 'The current password is not right. Please enter it again.';
    await waitFor(() => expect(current).toHaveAccessibleDescription(text));
    expect([current.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', current]);
    expect(form.getByLabelText('New password')).toHaveValue('Otra2026x');
  });

  it('whose dialog was closed during the request leaves another one open', async () => {
    const { promise: delay, resolve: respond } = createDeferred();
    mockIdentity({ ChangePassword: replyAfter(delay) });
    const { user } = await submitPassword('Escucho2026');
    await user.click(await findButton('Cancel'));
    await user.click(await findButton('Change email'));
    respond();
    await screen.findByText('Your new password is saved. Every other device is signed out.');
    expect((await findDialog()).getByLabelText('New email')).toBeInTheDocument();
  });

  it('a wrong current one is reported where its dialog was closed before', async () => {
    const { promise: delay, resolve: respond } = createDeferred();
    const refusal = rejectWith('NotAuthorizedException', 'Incorrect username or password.')();
    mockIdentity({ ChangePassword: replyAfter(delay, refusal) });
    const { user } = await submitPassword('Wrong2026');
    await user.click(await findButton('Cancel'));
    respond();
    expect(await screen.findByText(/^The current password is not right/)).toBeInTheDocument();
  });
});

it('[AUTH-08] a provider’s user is referred to the provider for password and e-mail', async () => {
  storeSession(3600, { identities: [{ providerName: 'Google' }] });
  await openProfileSettings();
  expect(
    screen.getByText('You sign in with Google. You manage your email and password there.'),
  ).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Change password' })).not.toBeInTheDocument();
});

it('[SHELL-03] an operator’s user has no password and no devices', async () => {
  const user: User = { ...ana, email: null, platform: 'entel', isExternal: true };
  mockSignedInUser(user);
  mockEndpoint(api.settings.findSettings, { user, settings: emptySettings });
  await openProfileSettings();
  expect(
    screen.getByText('You sign in through your mobile operator. There is nothing to change here.'),
  ).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Devices' })).not.toBeInTheDocument();
});

describe('devices', () => {
  it('[IDP-03] are listed by name; one is signed out, then all others', async () => {
    const sessions = [session(1, { isCurrent: true }), session(2, { device: null }), session(3)];
    mockSessions(...sessions);
    const revocations = mockEndpoint(identityApi.revokeSession, () => {
      sessions.splice(1, 1);
      return {};
    });
    const otherRevocations = mockEndpoint(identityApi.revokeOtherSessions, () => {
      sessions.splice(1);
      return {};
    });
    mockEndpoint(identityApi.listSessions, () => ({ docs: sessions }));
    const { user } = await openProfileSettings();
    await screen.findByText('This device');
    expect(screen.getAllByText('Firefox on Linux')).toHaveLength(2);
    await user.click(await findButton('Sign out Unknown device, last used 20 Nov 2026'));
    await waitFor(() => expect(screen.queryByText('Unknown device')).not.toBeInTheDocument());
    expect(revocations[0]?.url.pathname).toBe(`/identity/sessions/${session(2).id}`);
    await user.click(await findButton('Sign out all other devices'));
    const confirmation = await findDialog();
    await user.click(confirmation.getByRole('button', { name: 'Sign out all other devices' }));
    await waitFor(() => expect(screen.getAllByText('Firefox on Linux')).toHaveLength(1));
    expect(otherRevocations).toHaveLength(1);
  });

  it('that fail to load show an error with a retry', async () => {
    mockEndpoint(identityApi.listSessions, 'not_found');
    const { user } = await openProfileSettings();
    const message = await screen.findByText('Your devices did not load.');
    mockSessions(session(1, { isCurrent: true }));
    await user.click(within(message).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('This device')).toBeInTheDocument();
  });
});

describe('data', () => {
  const records = {
    exportedAt: moment,
    user: ana,
    records: { users: [{ id: ana._id }] },
    articleTitles: {},
    payments: [],
    signIn: null,
  };

  it('[SHELL-03] is downloaded as one file', async () => {
    mockEndpoint(api.account.exportAccount, records);
    const { files, clicks: clicked } = mockDownloads();
    const { user } = await openProfileSettings();
    await user.click(await findButton('Download my data'));
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
    expect(JSON.parse((await files[0]?.text()) ?? '')).toEqual(records);
    expect(clicked.mock.contexts[0]).toHaveProperty('download', 'escucho-2026-11-20.json');
  });

  it('[SHELL-09] is deleted once the e-mail was typed, then the user is signed out', async () => {
    mockIdentity();
    const deletions = mockEndpoint(api.account.deleteAccount, {});
    const { user, reload } = await openProfileSettings();
    await user.click(await findButton('Delete account'));
    const confirmation = await findDialog();
    await user.click(confirmation.getByRole('button', { name: 'Delete account' }));
    expect(confirmation.getByRole('alert')).toHaveTextContent(/^Type ana@example\.org to confirm$/);
    expect(deletions).toEqual([]);
    const email = confirmation.getByLabelText('Type ana@example.org to confirm');
    expect(email).toHaveFocus();
    await fillField(email, 'Ana@Example.org');
    await user.click(confirmation.getByRole('button', { name: 'Delete account' }));
    expect(await screen.findByText('Your account has been deleted.')).toBeInTheDocument();
    expect(screen.getByText(/^Only the receipts that the law requires are kept\./)).toBeInTheDocument();
    expect(deletions).toHaveLength(1);
    await user.click(await findButton('Goodbye'));
    await waitFor(() => expect(reload).toHaveBeenCalledWith('/auth'));
    expect(Object.keys(localStorage).filter((key) => key.includes('Token'))).toEqual([]);
  });

  it('[SHELL-09] a deletion cannot be cancelled, and signs out when its dialog was closed', async () => {
    mockIdentity();
    const { promise: delay, resolve: respond } = createDeferred();
    const deletions = mockEndpoint(api.account.deleteAccount, {}, delay);
    const { user, reload } = await openProfileSettings();
    await user.click(await findButton('Delete account'));
    const confirmation = await findDialog();
    await fillField(confirmation.getByRole('textbox'), 'ana@example.org');
    await user.click(confirmation.getByRole('button', { name: 'Delete account' }));
    await waitFor(() => expect(deletions).toHaveLength(1));
    expect(confirmation.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
    await user.click(confirmation.getByRole('button', { name: 'Close' }));
    respond();
    await waitFor(() => expect(reload).toHaveBeenCalledWith('/auth'));
  });

  it('[SHELL-09] a failed deletion keeps the user signed in', async () => {
    mockEndpoint(api.account.deleteAccount, 'unavailable');
    const { user, reload } = await openProfileSettings();
    await user.click(await findButton('Delete account'));
    const confirmation = await findDialog();
    await fillField(confirmation.getByRole('textbox'), 'ana@example.org');
    await user.click(confirmation.getByRole('button', { name: 'Delete account' }));
    expect(
      await screen.findByText('The service is not available right now. Please try again soon.'),
    ).toBeInTheDocument();
    expect(reload).not.toHaveBeenCalled();
  });
});
