import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '#testing/app.tsx';

it('[AUTH-01] [AUTH-08] without hosted pages there are no Google and Facebook buttons', async () => {
  await renderApp('/auth/sign-in', { oauth: null });
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeInTheDocument();
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: /Continue with/ })).not.toBeInTheDocument(),
  );
});
