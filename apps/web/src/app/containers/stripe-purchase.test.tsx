import { subscribedJson } from '@escucho/purchases/testing';
import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPurchase } from '#testing/purchase.tsx';
import { mockStripe } from '#testing/stripe.ts';

describe('[BUY-06] a publishable key of Stripe shows Stripe’s form', () => {
  const json = {
    ...subscribedJson,
    data: { client_secret: 'seti_1_secret', publishable_api_key: 'pk_test_1', stripe_account_id: 'acct_1' },
  };

  async function atStripe(confirmSetup: Parameters<typeof mockStripe>[0]) {
    const stripe = mockStripe(confirmSetup);
    const { user, widget } = await renderPurchase('Yearly', { subscribe: { json } });
    expect(await widget.findByText('Stripe’s fields')).toBeInTheDocument();
    expect(stripe.created[0]).toEqual(['pk_test_1', expect.objectContaining({ stripeAccount: 'acct_1' })]);
    expect(stripe.elements[0]).toMatchObject({ clientSecret: 'seti_1_secret', locale: 'en' });
    const pay = await widget.findByRole('button', { name: 'Pay' });
    await waitFor(() => expect(pay).toBeEnabled());
    await user.click(pay);
    return { widget, stripe };
  }

  it('an accepted card succeeds', async () => {
    const { widget, stripe } = await atStripe(async () => ({}));
    expect(await widget.findByRole('heading', { name: 'Purchase successful' })).toBeInTheDocument();
    expect(stripe.confirmed[0]).toMatchObject({ redirect: 'if_required' });
  });

  it('a refused card marks the form with Stripe’s message', async () => {
    const { widget } = await atStripe(async () => ({
      error: { type: 'card_error', message: 'Your card has a secret sorrow.' },
    }));
    expect(await widget.findByRole('alert')).toHaveTextContent(/^Your card has a secret sorrow\.$/);
    const fields = widget.getByText('Stripe’s fields').closest('fieldset');
    expect(fields).toHaveAccessibleDescription('Your card has a secret sorrow.');
    expect([fields?.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', fields]);
  });

  it('a validation error stays on the form', async () => {
    const { widget, stripe } = await atStripe(async () => ({ error: { type: 'validation_error' } }));
    await waitFor(() => expect(stripe.confirmed).toHaveLength(1));
    expect(widget.getByText('Stripe’s fields')).toBeInTheDocument();
    expect(widget.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('a form that throws shows a network error', async () => {
    const { widget } = await atStripe(async () => Promise.reject(new Error('gone')));
    expect(await widget.findByRole('alert')).toHaveTextContent(
      /^Network error\. Please check your internet connection\.$/,
    );
  });
});
