import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import '#features/player/player.ts';
import '#features/session/account.ts';
import '#features/session/oauth.ts';
import '#features/session/security.ts';
import '#features/session/sign-in.ts';
import '#features/subscription/components/current-plan.tsx';
import { prefetchLazyImports } from '#shared/lazy.ts';

const { fetched, record } = vi.hoisted(() => {
  const fetched = new Set<string>();
  const record = (name: string) => (importOriginal: () => Promise<object>) => {
    fetched.add(name);
    return importOriginal();
  };
  return { fetched, record };
});
vi.mock('#features/session/amplify/account.ts', record('account'));
vi.mock('#features/session/amplify/oauth.ts', record('Google and Facebook'));
vi.mock('#features/session/amplify/passkeys.ts', record('passkeys'));
vi.mock('#features/session/amplify/reauthentication.ts', record('reauthentication'));
vi.mock('#features/session/amplify/sign-in.ts', record('sign-in'));
vi.mock('#features/subscription/components/renewal-payment.tsx', record('payment of a renewal'));
vi.mock('#features/subscription/components/purchase/stripe-card-form.tsx', record('card form'));
vi.mock('#features/subscription/components/purchase/test-card-form.tsx', record('test card form'));
vi.mock('#features/player/sync/progress-sync.ts', record('progress'));
vi.mock('#shared/i18n/messages/es/app.ts', record('Spanish'));
vi.mock('#shared/i18n/messages/es/settings.ts', record('Spanish settings'));

it('fetches the code of later actions in advance, as an update removes its files', async () => {
  expect([...fetched]).toEqual([]);
  prefetchLazyImports();
  await waitFor(() =>
    expect([...fetched].sort()).toEqual([
      'Google and Facebook',
      'Spanish',
      'Spanish settings',
      'account',
      'card form',
      'passkeys',
      'payment of a renewal',
      'progress',
      'reauthentication',
      'sign-in',
      'test card form',
    ]),
  );
});
