import { api, type ErrorCode, type Platform, type Subscription, type User } from '@escucho/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call } from '#shared/api/client.ts';
import { ana, findButton, getCurrentUrl, mockPortal, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { createDeferred } from '#testing/deferred.ts';
import { createToken } from '#testing/identity.ts';
import { mockEndpoint } from '#testing/server.ts';

const { signInThirdParties } = api.operators;
const dataError = 'The login platform could not be identified.';
const serverError =
  'We apologize, but there was an issue processing your authentication request. Please try again later.';
const activePlan: Subscription = { isActive: true, store: 'rc_billing', willRenew: false, expiresAt: null };

const createExternalUser = (platform: Platform): User => ({ ...ana, platform, isExternal: true });

/** Mocks a successful sign-in by operator link. Returns its token and the requests. */
function mockOperatorSignIn(platform: Platform = 'bitel', pending?: Promise<void>) {
  mockPortal(createExternalUser(platform), activePlan);
  const accessToken = createToken();
  return {
    accessToken,
    requests: mockEndpoint(signInThirdParties, { accessToken, user: createExternalUser(platform) }, pending),
  };
}

const alert = async () => (await screen.findByRole('alert')).textContent;

describe('sign-in by operator link', () => {
  it.each([
    ['entel', 'msfw=a-token-of-entel', { msfw: 'a-token-of-entel' }],
    [
      'cnt',
      'cntToken=a-token-of-cnt&msisdn=593990000001',
      { cntToken: 'a-token-of-cnt', msisdn: '593990000001' },
    ],
    ['antel', 'source=antel&msisdn=59899000001', { source: 'antel', msisdn: '59899000001' }],
    ['bitel', 'msisdn=51930000001', { msisdn: '51930000001' }],
  ] as const)(
    '[EXT-01] [EXT-03] [EXT-05] %s: signs in at once and goes to Discover',
    async (platform, query, params) => {
      const { accessToken, requests } = mockOperatorSignIn(platform);
      await renderApp(`/auth-external?${query}`);
      await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
      expect(requests.map(({ body }) => body)).toEqual([{ platform, ...params }]);
      expect(localStorage.getItem('jwtAccessToken')).toBe(accessToken);
      const stored = JSON.parse(localStorage.getItem('user-storage') ?? '{}').state;
      expect(stored.user).toMatchObject({ platform, isExternal: true });
    },
  );

  it('[EXT-02] shows a status while it signs in', async () => {
    const { promise: pending, resolve: release } = createDeferred();
    mockOperatorSignIn('bitel', pending);
    await renderApp('/auth-external?msisdn=51930000001');
    expect(await screen.findByText('Signing you in with Bitel…')).toHaveAttribute('role', 'status');
    release();
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
  });

  it.each([[''], ['?cntToken=a-token'], ['?source=antel'], ['?token=x']])(
    '[EXT-02] with %j the platform is unknown, and shows an error',
    async (query) => {
      await renderApp(`/auth-external${query}`);
      expect(await alert()).toBe(dataError);
      expect(screen.getByRole('link', { name: 'Other ways to sign in' })).toHaveAttribute(
        'href',
        '/auth/sign-in',
      );
    },
  );

  it.each<[ErrorCode, string]>([
    ['forbidden', 'This link does not come from Bitel. Open Escucho from your operator’s page.'],
    [
      'link_expired',
      'This link has been used, or is too old: each one works once, for a few minutes. Get a new one from Bitel.',
    ],
    ['subscription_required', 'Bitel says that there is no active subscription for this number.'],
    [
      'operator_plan_ended',
      'Your plan with Bitel has ended.To keep listening, subscribe again with Bitel and open Escucho from there. To delete your account, open Escucho from there as well: you need no plan.',
    ],
  ])(
    '[EXT-02] [SUB-02] %s shows its reason, not a failure, and links to the operator',
    async (code, reason) => {
      mockEndpoint(signInThirdParties, code);
      await renderApp('/auth-external?msisdn=51930000001');
      expect(await alert()).toBe(reason);
      const link = await screen.findByRole('link', { name: 'Go to Bitel' });
      expect(link).toHaveAttribute('href', `${location.origin}/operators/bitel`);
      expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
      expect(localStorage.getItem('jwtAccessToken')).toBeNull();
    },
  );

  it('[EXT-02] a subscriber without a plan deletes the account after a confirmation', async () => {
    mockEndpoint(signInThirdParties, 'subscription_required');
    const requests = mockEndpoint(api.operators.deleteAccountByLink, {});
    const { user } = await renderApp('/auth-external?msisdn=51930000001');
    await user.click(await findButton('Delete account'));
    const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' });
    expect(requests).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Delete account' }));
    const status = await screen.findByText('Your account has been deleted.');
    expect(status).toHaveAttribute('role', 'status');
    expect(status).toHaveFocus();
    expect(requests.map(({ body }) => body)).toEqual([{ platform: 'bitel', msisdn: '51930000001' }]);
    expect(screen.queryByRole('button', { name: 'Delete account' })).not.toBeInTheDocument();
  });

  it('[EXT-02] a link without an account, or unknown to the operator, has nothing to delete', async () => {
    mockEndpoint(signInThirdParties, 'subscription_required');
    mockEndpoint(api.operators.deleteAccountByLink, 'not_found');
    const { user } = await renderApp('/auth-external?msisdn=51930000001');
    await user.click(await findButton('Delete account'));
    const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete account' }));
    expect(
      await screen.findByText(
        /^We found no account with this link. If you have one, get a new link from Bitel/,
      ),
    ).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('[EXT-02] an unavailable operator can be retried with the same link', async () => {
    const requests = mockEndpoint(signInThirdParties, 'unavailable');
    const { user } = await renderApp('/auth-external?msisdn=51930000001');
    expect(await alert()).toBe(serverError);
    expect(requests).toHaveLength(1);
    mockOperatorSignIn();
    await user.click(await findButton('Try again'));
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
  });

  it('[EXT-02] a retry uses the token that was issued before', async () => {
    const { requests } = mockOperatorSignIn();
    let fails = true;
    mockEndpoint(api.auth.me, () =>
      fails ? 'unavailable' : { user: createExternalUser('bitel'), subscription: activePlan },
    );
    const { user } = await renderApp('/auth-external?msisdn=51930000001');
    expect(await alert()).toBe(serverError);
    fails = false;
    await user.click(await findButton('Try again'));
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
    expect(requests).toHaveLength(1);
  });

  it('[EXT-02] the alerts are in the user’s language', async () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-PE']);
    await renderApp('/auth-external');
    expect(await alert()).toBe('No se pudo identificar la plataforma de inicio de sesión.');
  });

  it('[EXT-03] a signed-in user is redirected to Discover without using the link', async () => {
    const { requests } = mockOperatorSignIn();
    mockSignedInUser();
    await renderApp('/auth-external?msisdn=51930000001');
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
    expect(requests).toEqual([]);
  });
});

describe('on Android', () => {
  const android = () =>
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 14; Pixel 7)');

  it('[EXT-03] a modal is shown first, and continues in the browser', async () => {
    android();
    const { requests } = mockOperatorSignIn();
    const { user } = await renderApp('/auth-external?msisdn=51930000001');
    const modal = await screen.findByRole('dialog', { name: 'Open in app' });
    expect(requests).toEqual([]);
    expect(modal).toHaveTextContent('If you have the Escucho app');
    expect(screen.getAllByText(/If you have the Escucho app/)).toHaveLength(1);
    expect(screen.getByText('Your link from Bitel is ready.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Continue in browser' }));
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
    expect(requests).toHaveLength(1);
  });

  it('[EXT-03] a closed modal leaves the button on the page', async () => {
    android();
    const { requests } = mockOperatorSignIn();
    const { user } = await renderApp('/auth-external?msisdn=51930000001');
    fireEvent(await screen.findByRole('dialog'), new Event('close'));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(requests).toEqual([]);
    await user.click(await findButton('Continue in browser'));
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
  });
});

/** Stores the session of an operator's user. */
function storeExternalSession(platform: Platform) {
  const profile = { user: createExternalUser(platform), subscription: activePlan };
  mockSignedInUser(profile.user, profile.subscription);
  localStorage.clear();
  localStorage.setItem('jwtAccessToken', createToken());
  localStorage.setItem('user-storage', JSON.stringify({ state: profile, version: 1 }));
}

describe('the session of an operator’s user', () => {
  beforeEach(() => void mockEndpoint(api.auth.signOut, {}));

  it('[SHELL-03] [AUTH-14] signs out by removing the token, without the identity provider', async () => {
    storeExternalSession('bitel');
    const { user, reload } = await renderApp('/library');
    await user.click(await findButton(/Your account$/));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth'));
    expect(localStorage.getItem('jwtAccessToken')).toBeNull();
    expect(localStorage.getItem('user-storage')).not.toContain('bitel');
  });

  it('[AUTH-09] [AUTH-14] is sent to /auth once when the token is refused', async () => {
    storeExternalSession('bitel');
    const { reload } = await renderApp('/library');
    await screen.findByRole('heading', { level: 1, name: 'Your library' });
    mockEndpoint(api.notifications.findNotifications, 'token_expired');
    const fetchNotifications = () => call(api.notifications.findNotifications, { query: {} });
    await Promise.all(
      [fetchNotifications(), fetchNotifications()].map((request) =>
        expect(request).rejects.toMatchObject({ status: 401 }),
      ),
    );
    await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth'));
    expect(localStorage.getItem('jwtAccessToken')).toBeNull();
  });

  it('[SUB-02] an ended plan ends the session on this device and opens the operator’s screen', async () => {
    storeExternalSession('bitel');
    mockEndpoint(api.auth.me, 'operator_plan_ended');
    const { reload } = await renderApp('/library');
    await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth-external?ended=bitel'));
    expect(localStorage.getItem('jwtAccessToken')).toBeNull();
  });
});

it.each([
  ['en-US', 'bitel', 'Your plan with Bitel has ended.', 'Other ways to sign in', 'Go to Bitel'],
  ['es-PE', 'cnt', 'Tu plan con CNT terminó.', 'Otras formas de iniciar sesión', 'Ir a CNT'],
])(
  '[SUB-02] the screen of an ended plan in %s links to %s',
  async (language, platform, title, others, link) => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue([language]);
    await renderApp(`/auth-external?ended=${platform}`);
    expect(await alert()).toContain(title);
    expect(screen.getByRole('link', { name: others })).toHaveAttribute('href', '/auth/sign-in');
    expect(await screen.findByRole('link', { name: link })).toHaveAttribute(
      'href',
      `${location.origin}/operators/${platform}`,
    );
  },
);
