import type { Platform, Subscription, User } from '@escucho/contracts';
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ana, mockSignedInUser, renderApp } from '#testing/app.tsx';

const activePlan: Subscription = { isActive: true, store: 'rc_billing', willRenew: false, expiresAt: null };
const createExternalUser = (platform: Platform): User => ({ ...ana, platform, isExternal: true });

describe('the subscription settings', () => {
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
    '[SUB-02] [SUB-07] of %s name the operator, and how to cancel',
    async (platform, lasts, cancel) => {
      mockSignedInUser(createExternalUser(platform), { ...activePlan, willRenew: platform === 'entel' });
      await renderApp('/settings/subscription');
      await screen.findByText('Your subscription is active');
      expect(
        screen.getByText(
          `Served by ${{ bitel: 'Bitel', entel: 'Entel', cnt: 'CNT', antel: 'Antel' }[platform]}`,
        ),
      ).toBeInTheDocument();
      expect(screen.getByText(lasts)).toBeInTheDocument();
      expect(screen.getByText(cancel)).toBeInTheDocument();
    },
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
      await renderApp('/tyc');
      await screen.findByRole('heading', { level: 1, name: 'Terms and conditions' });
      const text = screen.getByRole('article').textContent ?? '';
      for (const phrase of [...has, 'More than 50,000 articles']) expect(text).toContain(phrase);
      for (const phrase of lacks) expect(text).not.toContain(phrase);
    },
  );

  it('[EXT-07] are in Spanish too', async () => {
    mockSignedInUser(createExternalUser('cnt'));
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-EC']);
    await renderApp('/tyc');
    await screen.findByRole('heading', { level: 1, name: 'Términos y condiciones' });
    const text = screen.getByRole('article').textContent ?? '';
    for (const phrase of ['USD 0.30 más impuestos', 'por SMS al 5502', 'Más de 50\u00a0000 artículos'])
      expect(text).toContain(phrase);
  });
});
