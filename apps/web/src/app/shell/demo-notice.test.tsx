import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
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

it('the page stays clear of the header with its notices', async () => {
  class MeasuringObserver implements ResizeObserver {
    observe: () => void;
    constructor(callback: ResizeObserverCallback) {
      this.observe = () => callback([], this);
    }
    unobserve = () => undefined;
    disconnect = () => undefined;
  }
  vi.stubGlobal('ResizeObserver', MeasuringObserver);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(146);
  mockSignedInUser();
  await renderApp('/library', {}, { publicDemo: true });
  await findNotice();
  const { style } = document.documentElement;
  expect(style.getPropertyValue('--top-height')).toBe('146px');
  style.removeProperty('--top-height');
});
