import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { mockSignedInUser, renderApp } from '#testing/app.tsx';
import { mockIdentity } from '#testing/identity.ts';

const findNotice = (name = 'Demo mode') => screen.findByRole('complementary', { name });

it('a public demo shows a notice at sign-in, in the user’s language', async () => {
  mockIdentity();
  await renderApp('/auth/sign-in', {}, { publicDemo: true });
  expect(await findNotice()).toHaveTextContent('Anyone can use the demo accounts');
  await setLanguage('es');
  expect(await findNotice('Modo de demostración')).toHaveTextContent('No escribas datos personales.');
});

it('a public demo shows a notice to users who are signed in', async () => {
  mockSignedInUser();
  await renderApp('/library', {}, { publicDemo: true });
  expect(await findNotice()).toHaveTextContent('Enter no personal data.');
});
