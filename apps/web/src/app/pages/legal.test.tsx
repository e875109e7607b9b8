import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockSignedInUser, renderApp } from '#testing/app.tsx';

it.each([
  ['/terms', 'Terms of use', 'Renewal and cancellation'],
  ['/privacy', 'Privacy', 'What we store'],
])('%s is for everybody, signed in or not', async (path, title, section) => {
  const first = await renderApp(path);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: section })).toBeInTheDocument();
  expect(await screen.findByText(/support@escucho\.example/)).toBeInTheDocument();
  expect(first.reload).not.toHaveBeenCalled();
});

it('[PLAY-04] the terms name what is free without a plan', async () => {
  await renderApp('/terms');
  expect(await screen.findByText(/the newest article and one at your level are free\.$/)).toBeInTheDocument();
});

it('signed-in users stay on the terms', async () => {
  mockSignedInUser();
  await renderApp('/terms');
  expect(await screen.findByRole('heading', { level: 1, name: 'Terms of use' })).toBeInTheDocument();
});

it('sign-up links to both', async () => {
  await renderApp('/auth/sign-up');
  const [terms] = await screen.findAllByRole('link', { name: 'Terms of use' });
  const [privacy] = screen.getAllByRole('link', { name: 'Privacy' });
  expect([terms?.getAttribute('href'), privacy?.getAttribute('href')]).toEqual(['/terms', '/privacy']);
});
