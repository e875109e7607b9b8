import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '#testing/app.tsx';
import { testConfig } from '#testing/server.ts';

it('[AUTH-08] only the providers that are set up have a button', async () => {
  const { oauth } = testConfig.identity;
  await renderApp('/auth/sign-in', { oauth: oauth && { ...oauth, providers: ['Google'] } });
  await screen.findByRole('button', { name: 'Continue with Google' });
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Continue with Facebook' })).not.toBeInTheDocument(),
  );
  expect(screen.getByRole('button', { name: 'Continue with Google' })).toBeInTheDocument();
});
