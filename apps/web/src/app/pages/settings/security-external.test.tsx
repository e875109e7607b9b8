import { api } from '@escucho/contracts';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockSignedInUser, renderApp } from '#testing/app.tsx';
import { mockIdentity, replyWith } from '#testing/identity.ts';
import { mockEndpoint } from '#testing/server.ts';

it('passkeys and recovery codes are not shown where the provider does not offer them', async () => {
  mockSignedInUser();
  mockEndpoint(api.account.findSecurityEvents, { docs: [], totalDocs: 0 });
  mockIdentity({
    GetUser: replyWith({
      Username: 'user-1',
      UserAttributes: [],
      UserMFASettingList: ['SOFTWARE_TOKEN_MFA'],
    }),
  });
  await renderApp('/settings/security');
  expect(await screen.findByText('Authenticator app is on')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Passkeys' })).not.toBeInTheDocument();
  expect(screen.queryByText('Recovery codes')).not.toBeInTheDocument();
});
