import { api, type ErrorCode, type Platform, type Subscription, type User } from '@escucho/contracts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { buildTrack } from '#features/player/testing/fixtures.ts';
import { call } from '#shared/api/client.ts';
import { ana, getCurrentUrl, mockShellEndpoints, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { createToken } from '#testing/identity.ts';
import { buildSystemPlaylist } from '#testing/playlists.ts';
import { mockEndpoint } from '#testing/server.ts';

const { signInThirdParties } = api.operators;
const dataError = 'The login platform could not be identified.';
const serverError =
  'We apologize, but there was an issue processing your authentication request. Please try again later.';
const activePlan: Subscription = { isActive: true, store: 'rc_billing', willRenew: false, expiresAt: null };

const createExternalUser = (platform: Platform): User => ({ ...ana, platform, isExternal: true });

/** Mocks a successful sign-in by operator link. Returns its token and the requests. */
function mockOperatorSignIn(platform: Platform = 'bitel', pending?: Promise<void>) {
  mockShellEndpoints();
  const accessToken = createToken();
  mockEndpoint(api.auth.me, { user: createExternalUser(platform), subscription: activePlan });
  return {
    accessToken,
    requests: mockEndpoint(signInThirdParties, { accessToken, user: createExternalUser(platform) }, pending),
  };
}

const button = (name: string) => screen.findByRole('button', { name });
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
    let release: () => void = () => undefined;
    const pending = new Promise<void>((resolve) => {
      release = resolve;
    });
    mockOperatorSignIn('bitel', pending);
    await renderApp('/auth-external?msisdn=51930000001');
    expect((await screen.findByText('Signing you in with Bitel…')).getAttribute('role')).toBe('status');
    release();
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
  });

  it.each([[''], ['?cntToken=a-token'], ['?source=antel'], ['?token=x']])(
    '[EXT-02] with %j the platform is unknown, and shows an error',
    async (query) => {
      await renderApp(`/auth-external${query}`);
      expect(await alert()).toBe(dataError);
      expect(screen.getByRole('link', { name: 'Other ways to sign in' }).getAttribute('href')).toBe(
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
  ])('[EXT-02] %s: shows the reason, and links to the operator', async (code, reason) => {
    mockEndpoint(signInThirdParties, code);
    await renderApp('/auth-external?msisdn=51930000001');
    expect(await alert()).toBe(serverError + reason);
    const link = await screen.findByRole('link', { name: 'Go to Bitel' });
    expect(link.getAttribute('href')).toBe(`${location.origin}/operators/bitel`);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(localStorage.getItem('jwtAccessToken')).toBeNull();
  });

  it('[EXT-02] an unavailable operator can be retried with the same link', async () => {
    const requests = mockEndpoint(signInThirdParties, 'unavailable');
    const { user } = await renderApp('/auth-external?msisdn=51930000001');
    expect(await alert()).toBe(serverError);
    expect(requests).toHaveLength(1);
    mockOperatorSignIn();
    await user.click(await button('Try again'));
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
    await user.click(await button('Try again'));
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
    expect(modal.textContent).toContain('If you have the Escucho app');
    const [inModal] = screen
      .getAllByRole('button', { name: 'Continue in browser' })
      .filter((one) => modal.contains(one));
    if (inModal) await user.click(inModal);
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
    expect(requests).toHaveLength(1);
  });

  it('[EXT-03] a closed modal leaves the button on the page', async () => {
    android();
    const { requests } = mockOperatorSignIn();
    const { user } = await renderApp('/auth-external?msisdn=51930000001');
    fireEvent(await screen.findByRole('dialog'), new Event('close'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(requests).toEqual([]);
    await user.click(await button('Continue in browser'));
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
  });
});

describe('an operator’s user', () => {
  /** Stores the session of an operator's user. */
  function storeExternalSession(platform: Platform, subscription: Subscription = activePlan) {
    mockSignedInUser(createExternalUser(platform), subscription);
    localStorage.clear();
    localStorage.setItem('jwtAccessToken', createToken());
    localStorage.setItem(
      'user-storage',
      JSON.stringify({ state: { user: createExternalUser(platform), subscription }, version: 1 }),
    );
    mockShellEndpoints();
  }

  it('[SHELL-03] [AUTH-14] signs out by removing the token, without the identity provider', async () => {
    storeExternalSession('bitel');
    const { user, reload } = await renderApp('/library');
    await user.click(await button('Your account'));
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

  it.each([
    [
      'bitel',
      'It lasts as long as your plan with Bitel. Nothing is charged here.',
      'Send the word SALIR by SMS to 1447.',
    ],
    [
      'entel',
      'Entel renews it automatically until you cancel. Nothing is charged here.',
      'Send the word SALIR by SMS to 22122.',
    ],
    [
      'cnt',
      'It lasts as long as your plan with CNT. Nothing is charged here.',
      'Subscribe or cancel by SMS to 5502.',
    ],
    [
      'antel',
      'It lasts as long as your plan with Antel. Nothing is charged here.',
      'Cancel with Antel, in the same way as you subscribed.',
    ],
  ] as const)(
    '[SUB-02] [SUB-07] of %s sees in the settings the operator, and how to cancel',
    async (platform, lasts, cancel) => {
      storeExternalSession(platform, { ...activePlan, willRenew: platform === 'entel' });
      await renderApp('/settings/subscription');
      await screen.findByText('Your subscription is active');
      expect(
        screen.getByText(
          `Served by ${{ bitel: 'Bitel', entel: 'Entel', cnt: 'CNT', antel: 'Antel' }[platform]}`,
        ),
      ).toBeTruthy();
      expect(screen.getByText(lasts)).toBeTruthy();
      expect(screen.getByText(cancel)).toBeTruthy();
    },
  );

  it('[SUB-02] is linked to the operator once the subscription has ended', async () => {
    storeExternalSession('bitel', { ...activePlan, isActive: false, expiresAt: '2026-11-20T10:00:00.000Z' });
    await renderApp('/settings/subscription');
    await screen.findByText('Your subscription has ended');
    expect(screen.getByText(/^Bitel told us so on 20 Nov 2026\./)).toBeTruthy();
    expect((await screen.findByRole('link', { name: 'Go to Bitel' })).getAttribute('href')).toBe(
      `${location.origin}/operators/bitel`,
    );
  });
});

it('[PLAY-04] [SUB-02] a refused track leads an operator’s user to the operator', async () => {
  mockSignedInUser(createExternalUser('cnt'), { ...activePlan, isActive: false });
  mockShellEndpoints();
  const playlist = buildSystemPlaylist(902, 'Stories');
  mockEndpoint(api.catalogue.discover, {
    continueListening: [],
    rows: [{ playlist, tracks: [{ ...buildTrack(3), url: null }] }],
  });
  const { user } = await renderApp('/discover');
  await user.click(await button('Play Track 3, needs a subscription'));
  const dialog = await screen.findByRole('dialog', { name: 'Your subscription has ended' });
  expect(dialog.textContent).toContain('CNT says that your plan has ended.');
  expect((await screen.findByRole('link', { name: 'Go to CNT' })).getAttribute('href')).toBe(
    `${location.origin}/operators/cnt`,
  );
});

describe('the terms', () => {
  const terms: Record<Platform, { has: string[]; lacks: string[] }> = {
    bitel: {
      has: [
        'Daily',
        'S/ 1.80',
        'Weekly',
        'S/ 3.99',
        'Monthly',
        'S/ 5.99',
        'Local taxes are included.',
        'SALIR by SMS to 1447',
      ],
      lacks: ['plus tax', 'Ecuador'],
    },
    entel: {
      has: [
        'Daily',
        'S/ 1.50',
        'Monthly',
        'S/ 12.90',
        'Local taxes are included.',
        'SALIR by SMS to 22122',
        'renews automatically',
      ],
      lacks: ['Weekly', 'plus tax', 'Ecuador'],
    },
    cnt: {
      has: [
        'Daily',
        'USD 0.30 plus tax',
        'Subscribe or cancel by SMS to 5502',
        'Ecuador',
        'adults, and for minors with the consent',
      ],
      lacks: ['Weekly', 'Monthly', 'Local taxes are included.'],
    },
    antel: { has: ['Antel tells you the price'], lacks: ['S/', 'USD', 'SMS', 'Ecuador'] },
  };

  it.each(Object.entries(terms))(
    '[EXT-07] of %s have its prices, and how to cancel',
    async (name, { has, lacks }) => {
      const platform = (['bitel', 'entel', 'cnt', 'antel'] as const).find((one) => one === name) ?? 'bitel';
      mockSignedInUser(createExternalUser(platform));
      mockShellEndpoints();
      await renderApp('/tyc');
      await screen.findByRole('heading', { level: 1, name: 'Terms and conditions' });
      const text = screen.getByRole('article').textContent ?? '';
      for (const part of [...has, 'More than 50,000 articles']) expect(text).toContain(part);
      for (const part of lacks) expect(text).not.toContain(part);
    },
  );

  it('[EXT-07] are in Spanish too', async () => {
    mockSignedInUser(createExternalUser('cnt'));
    mockShellEndpoints();
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-EC']);
    await renderApp('/tyc');
    await screen.findByRole('heading', { level: 1, name: 'Términos y condiciones' });
    const text = screen.getByRole('article').textContent ?? '';
    for (const part of ['USD 0.30 más impuestos', 'por SMS al 5502', 'Más de 50\u00a0000 artículos'])
      expect(text).toContain(part);
  });
});
