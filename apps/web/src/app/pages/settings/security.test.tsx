import { api, identityApi, type SecurityEvent } from '@escucho/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ana,
  fillField,
  findButton,
  findDialog,
  mockDownloads,
  mockSignedInUser,
  renderApp,
} from '#testing/app.tsx';
import { createDeferred } from '#testing/deferred.ts';
import { inOrder, mockIdentity, rejectWith, replyAfter, replyWith, storeSession } from '#testing/identity.ts';
import { mockEndpoint, server } from '#testing/server.ts';

const openSecurity = () => renderApp('/settings/security', { passkeys: true });

const withoutAuthenticator = replyWith({ Username: 'user-1', UserAttributes: [] });
const withAuthenticator = replyWith({
  Username: 'user-1',
  UserAttributes: [],
  UserMFASettingList: ['SOFTWARE_TOKEN_MFA'],
});

const laptop = {
  CredentialId: 'credential-1',
  FriendlyCredentialName: 'Laptop',
  CreatedAt: Date.parse('2026-11-20T10:00:00Z') / 1000,
  LastUsedAt: Date.parse('2026-11-21T10:00:00Z') / 1000,
};
const phone = {
  ...laptop,
  CredentialId: 'credential-2',
  FriendlyCredentialName: 'Phone',
  LastUsedAt: null,
};

beforeEach(() => {
  mockSignedInUser();
  mockEndpoint(api.account.findSecurityEvents, { docs: [], totalDocs: 0 });
});

describe('two-step verification', () => {
  it('is set up by the code of an app, then shows recovery codes once', async () => {
    const requests = mockIdentity({ GetUser: inOrder(withoutAuthenticator, withAuthenticator) });
    const { user } = await openSecurity();
    await user.click(await findButton('Set up'));
    const setup = await findDialog();
    expect(await setup.findByRole('img', { name: 'QR code for your authenticator app' })).toBeInTheDocument();
    await user.click(setup.getByRole('button', { name: 'Copy the key' }));
    expect(await navigator.clipboard.readText()).toBe('ABCDEFGHIJKLMNOP');
    await fillField(setup.getByLabelText('Code from your app'), '123 456');
    await user.click(setup.getByRole('button', { name: 'Turn on' }));
    expect(await screen.findByText('Two-step verification is on.')).toBeInTheDocument();
    const codes = await screen.findByRole('list', { name: 'Recovery codes' });
    expect(within(codes).getAllByRole('listitem')).toHaveLength(2);
    // The message in the dialog has a button of this name, too.
    const [close] = screen.getAllByRole('button', { name: 'Close' });
    expect(close).toHaveFocus();
    await user.click(await findButton('Copy'));
    expect(await navigator.clipboard.readText()).toBe('AAAAA-11111\nBBBBB-22222');
    await user.click(await findButton('I have saved them'));
    expect(await screen.findByText('Authenticator app is on')).toBeInTheDocument();
    expect(await screen.findByText(/^2 codes are left\./)).toBeInTheDocument();
    expect(screen.queryByText('AAAAA-11111')).not.toBeInTheDocument();
    const [verification, preference] = ['VerifySoftwareToken', 'SetUserMFAPreference'].map((name) =>
      requests.find(({ operation }) => operation === name),
    );
    expect(verification?.body.UserCode).toBe('123456');
    expect(preference?.body.SoftwareTokenMfaSettings).toEqual({ Enabled: true, PreferredMfa: true });
  });

  it('is shown as on, with the recovery codes, where its dialog was closed during the request', async () => {
    const { promise: verified, resolve: respond } = createDeferred();
    const requests = mockIdentity({
      GetUser: inOrder(withoutAuthenticator, withAuthenticator),
      VerifySoftwareToken: replyAfter(verified, { Status: 'SUCCESS' }),
    });
    const { user } = await openSecurity();
    await user.click(await findButton('Set up'));
    const setup = await findDialog();
    await fillField(await setup.findByLabelText('Code from your app'), '123456');
    await user.click(setup.getByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(requests.map(({ operation }) => operation)).toContain('VerifySoftwareToken'));
    await user.click(setup.getByRole('button', { name: 'Cancel' }));
    respond();
    expect(await screen.findByText('AAAAA-11111')).toBeInTheDocument();
    await user.click(await findButton('I have saved them'));
    expect(await screen.findByText('Authenticator app is on')).toBeInTheDocument();
  });

  it('shows the recovery codes until they are closed, also after a look at another tab', async () => {
    const requests = mockIdentity({ GetUser: inOrder(withoutAuthenticator, withAuthenticator) });
    const { user } = await openSecurity();
    await user.click(await findButton('Set up'));
    const setup = await findDialog();
    await fillField(await setup.findByLabelText('Code from your app'), '123456');
    await user.click(setup.getByRole('button', { name: 'Turn on' }));
    await screen.findByText('AAAAA-11111');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() =>
      expect(requests.filter(({ operation }) => operation === 'GetUser').length).toBeGreaterThan(1),
    );
    expect(await screen.findByText('Authenticator app is on')).toBeInTheDocument();
    expect(screen.getByText('AAAAA-11111')).toBeInTheDocument();
  });

  it('asks whether the recovery codes are saved when their dialog is closed', async () => {
    mockIdentity({ GetUser: withAuthenticator, GetRecoveryCodes: replyWith({ RemainingCount: 0 }) });
    const { user } = await openSecurity();
    await user.click(await findButton('New codes'));
    await screen.findByText('AAAAA-11111');
    // As Escape does, or a click outside.
    act(() => document.querySelector('dialog')?.close());
    await user.click(await findButton('Show the codes'));
    expect(await screen.findByText('AAAAA-11111')).toBeInTheDocument();
    act(() => document.querySelector('dialog')?.close());
    act(() => document.querySelector('dialog')?.close());
    expect(await screen.findByText('AAAAA-11111')).toBeInTheDocument();
    act(() => document.querySelector('dialog')?.close());
    await user.click(await findButton('I have saved them'));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('a wrong code marks its field and shows what to do', async () => {
    mockIdentity({
      VerifySoftwareToken: rejectWith('EnableSoftwareTokenMFAException', 'Code mismatch'),
    });
    const { user } = await openSecurity();
    await user.click(await findButton('Set up'));
    const setup = await findDialog();
    const code = await setup.findByLabelText('Code from your app');
    await fillField(code, '000000');
    await user.click(setup.getByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(code).toHaveAccessibleDescription(/Enter the code your app shows now/));
    expect(code).toHaveFocus();
  });

  it('is turned off after a confirmation', async () => {
    const requests = mockIdentity({ GetUser: inOrder(withAuthenticator, withoutAuthenticator) });
    const { user } = await openSecurity();
    await user.click(await findButton('Remove the authenticator app'));
    await user.click((await findDialog()).getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('Two-step verification is off.')).toBeInTheDocument();
    expect(await findButton('Set up')).toBeInTheDocument();
    expect(
      requests.find(({ operation }) => operation === 'SetUserMFAPreference')?.body.SoftwareTokenMfaSettings,
    ).toEqual({ Enabled: false });
  });

  it('is shown as off where only the response of turning it off failed', async () => {
    mockIdentity({
      GetUser: inOrder(withAuthenticator, withoutAuthenticator),
      SetUserMFAPreference: rejectWith('InternalErrorException', 'unavailable'),
    });
    const { user } = await openSecurity();
    await user.click(await findButton('Remove the authenticator app'));
    await user.click((await findDialog()).getByRole('button', { name: 'Turn off' }));
    expect(await findButton('Set up')).toBeInTheDocument();
  });

  it('is shown as on where only the response of turning it on failed', async () => {
    mockIdentity({
      GetUser: inOrder(withoutAuthenticator, withAuthenticator),
      SetUserMFAPreference: rejectWith('InternalErrorException', 'unavailable'),
    });
    const { user } = await openSecurity();
    await user.click(await findButton('Set up'));
    const setup = await findDialog();
    await fillField(await setup.findByLabelText('Code from your app'), '123456');
    await user.click(setup.getByRole('button', { name: 'Turn on' }));
    expect(await screen.findByText('Authenticator app is on')).toBeInTheDocument();
  });

  it('shows how many recovery codes are left where only the response failed', async () => {
    mockIdentity({
      GetUser: withAuthenticator,
      GetRecoveryCodes: inOrder(replyWith({ RemainingCount: 0 }), replyWith({ RemainingCount: 10 })),
      CreateRecoveryCodes: rejectWith('InternalErrorException', 'unavailable'),
    });
    const { user } = await openSecurity();
    await user.click(await findButton('New codes'));
    expect(await screen.findByText(/^10 codes are left\./)).toBeInTheDocument();
  });

  it('a new set of recovery codes replaces the old one after a confirmation, as a file too', async () => {
    mockIdentity({ GetUser: withAuthenticator });
    const { files } = mockDownloads();
    const { user } = await openSecurity();
    await user.click(await findButton('New codes'));
    const confirmation = await findDialog();
    expect(confirmation.getByText('The codes you saved before stop working.')).toBeInTheDocument();
    await user.click(confirmation.getByRole('button', { name: 'New codes' }));
    await user.click(await findButton('Download'));
    expect(await files[0]?.text()).toContain('AAAAA-11111\nBBBBB-22222');
  });

  it('without recovery codes left shows a notice and creates a set at once', async () => {
    mockIdentity({ GetUser: withAuthenticator, GetRecoveryCodes: replyWith({ RemainingCount: 0 }) });
    const { user } = await openSecurity();
    expect(await screen.findByText(/^You have none\./)).toBeInTheDocument();
    await user.click(await findButton('New codes'));
    expect(await screen.findByText('AAAAA-11111')).toBeInTheDocument();
  });

  it('that fails to load shows an error with a retry', async () => {
    mockIdentity({
      GetUser: inOrder(rejectWith('NotAuthorizedException', 'Access denied'), withAuthenticator),
    });
    const { user } = await openSecurity();
    const error = await screen.findByText('Your security settings did not load.');
    await user.click(within(error).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Authenticator app is on')).toBeInTheDocument();
  });
});

describe('passkeys', () => {
  it('are listed with their names and dates, and removed after a confirmation', async () => {
    const requests = mockIdentity({
      ListWebAuthnCredentials: inOrder(
        replyWith({ Credentials: [laptop, phone] }),
        replyWith({ Credentials: [phone] }),
      ),
    });
    const { user } = await openSecurity();
    expect(await screen.findByText('Added 20 Nov 2026, last used 21 Nov 2026')).toBeInTheDocument();
    expect(screen.getByText('Added 20 Nov 2026')).toBeInTheDocument();
    await user.click(await findButton('Remove the passkey Laptop'));
    const confirmation = await findDialog();
    expect(confirmation.getByRole('heading', { name: 'Remove “Laptop”?' })).toBeInTheDocument();
    await user.click(confirmation.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByText('Laptop')).not.toBeInTheDocument());
    expect(
      requests.find(({ operation }) => operation === 'DeleteWebAuthnCredential')?.body.CredentialId,
    ).toBe('credential-1');
  });

  it('one that another device has removed leaves the list', async () => {
    mockIdentity({
      ListWebAuthnCredentials: inOrder(
        replyWith({ Credentials: [laptop, phone] }),
        replyWith({ Credentials: [phone] }),
      ),
      DeleteWebAuthnCredential: rejectWith('ResourceNotFoundException', 'The passkey does not exist.'),
    });
    const { user } = await openSecurity();
    await user.click(await findButton('Remove the passkey Laptop'));
    await user.click((await findDialog()).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('We could not find this.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('Laptop')).not.toBeInTheDocument());
    expect(screen.getByText('Phone')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('that the provider does not send show an error once the time is up', async () => {
    const timeout = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    const requests = mockIdentity({ ListWebAuthnCredentials: replyAfter(new Promise(() => undefined)) });
    await openSecurity();
    const section = within(await screen.findByRole('region', { name: 'Passkeys' }));
    await screen.findByText(/^Not set up\./);
    await waitFor(() =>
      expect(requests.map(({ operation }) => operation)).toContain('ListWebAuthnCredentials'),
    );
    timeout.abort();
    expect(await section.findByText('Your security settings did not load.')).toBeInTheDocument();
  });

  it('the dialog that adds one has the focus in its name', async () => {
    vi.stubGlobal('PublicKeyCredential', () => undefined);
    mockIdentity();
    const { user } = await openSecurity();
    await user.click(await findButton('Add a passkey'));
    const name = (await findDialog()).getByRole('textbox', { name: 'Name (optional)' });
    await waitFor(() => expect(name).toHaveFocus());
  });

  it('a browser without them shows a notice', async () => {
    mockIdentity();
    await openSecurity();
    expect(await screen.findByText('This browser does not support passkeys.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).not.toBeInTheDocument();
  });
});

const createEvent = (number: number): SecurityEvent => ({
  id: `00000000-0000-4000-8000-0000000000${10 + number}`,
  type: 'signed_in',
  occurredAt: '2026-11-20T10:00:00.000Z',
  isFailure: false,
  actor: 'user',
  device: { browser: 'Firefox', system: 'Linux' },
  network: `190.12.${number}.0/24`,
  details: {},
});

it('the recent activity names device and network, a page at a time, and retries', async () => {
  mockIdentity();
  const events = Array.from({ length: 12 }, (_, number) => createEvent(number));
  mockEndpoint(api.account.findSecurityEvents, { docs: events.slice(0, 10), totalDocs: 12 });
  const { user } = await openSecurity();
  expect(await screen.findByText('Firefox on Linux, from 190.12.9.0/24')).toBeInTheDocument();
  expect(screen.getAllByText('Signed in')).toHaveLength(10);
  const more = await findButton('Show more');
  mockEndpoint(api.account.findSecurityEvents, 'not_found');
  await user.click(more);
  expect(await screen.findByRole('alert')).toHaveTextContent('We could not find this.');
  const requests = mockEndpoint(api.account.findSecurityEvents, {
    docs: events.slice(10),
    totalDocs: 12,
  });
  await user.click(await findButton('Try again'));
  expect(await screen.findByText('Firefox on Linux, from 190.12.11.0/24')).toBeInTheDocument();
  expect(requests[0]?.url.searchParams.get('after')).toBe(events[9]?.id);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument());
});

it('the recent activity shows events of unknown kinds', async () => {
  mockIdentity();
  const docs = [{ ...createEvent(1), type: 'moon_landed' }, createEvent(2)];
  server.use(
    http.get('*/api/account/security-events', () => HttpResponse.json({ docs, totalDocs: docs.length })),
  );
  await openSecurity();
  expect(await screen.findByText('Other event: reload the page to see which')).toBeInTheDocument();
  expect(screen.getByText('Signed in')).toBeInTheDocument();
});

it('the recent activity shows a change of the page at once', async () => {
  mockIdentity({
    ListWebAuthnCredentials: inOrder(replyWith({ Credentials: [laptop] }), replyWith({ Credentials: [] })),
  });
  const { user } = await openSecurity();
  await screen.findByText('Nothing has happened yet.');
  mockEndpoint(api.account.findSecurityEvents, {
    docs: [{ ...createEvent(1), type: 'passkey_removed' }],
    totalDocs: 1,
  });
  await user.click(await findButton('Remove the passkey Laptop'));
  await user.click((await findDialog()).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Passkey removed')).toBeInTheDocument();
});

it('the recent activity shows a change of another page', async () => {
  mockIdentity();
  mockEndpoint(identityApi.listSessions, { docs: [] });
  const { user } = await openSecurity();
  await screen.findByText('Nothing has happened yet.');
  await user.click(screen.getByRole('link', { name: 'Profile' }));
  await screen.findByRole('heading', { name: 'Your data' });
  mockEndpoint(api.account.findSecurityEvents, {
    docs: [{ ...createEvent(1), type: 'data_exported' }],
    totalDocs: 1,
  });
  await user.click(screen.getByRole('link', { name: 'Security' }));
  expect(await screen.findByText('Data downloaded')).toBeInTheDocument();
});

it('[AUTH-08] a provider’s user is referred to the provider', async () => {
  storeSession(3600, { identities: [{ providerName: 'Google' }] });
  mockIdentity();
  await openSecurity();
  expect(await screen.findByText(/^You sign in with Google, which has a second step/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Set up' })).not.toBeInTheDocument();
});

it('[AUTH-14] an operator’s user reads that the operator confirms the phone', async () => {
  mockSignedInUser({ ...ana, isExternal: true, platform: 'entel' });
  await openSecurity();
  expect(await screen.findByText(/^You sign in through your mobile operator/)).toBeInTheDocument();
});
