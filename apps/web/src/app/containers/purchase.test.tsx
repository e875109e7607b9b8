import { api } from '@escucho/contracts';
import { productsJson, subscribedJson } from '@escucho/purchases/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { buildTrack } from '#features/player/testing/fixtures.ts';
import { activeSubscription, ana, fillField, free, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { billingConfig, checkoutStatus, mockBilling } from '#testing/billing.ts';
import { buildSystemPlaylist } from '#testing/builders.ts';
import { choosePlan, payWithTestCard, renderCardForm, renderPurchase } from '#testing/purchase.tsx';
import { mockEndpoint } from '#testing/server.ts';
import { mockStripe } from '#testing/stripe.ts';

it('[BUY-02] a known e-mail, card and success activate the plan, and the refused track plays', async () => {
  mockSignedInUser(ana, free);
  mockEndpoint(api.subscription.findSubscription, 'unavailable');
  mockEndpoint(api.catalogue.discover, {
    continueListening: [],
    rows: [{ playlist: buildSystemPlaylist(902, 'Stories'), tracks: [{ ...buildTrack(3), url: null }] }],
  });
  mockEndpoint(api.listening.saveProgress, { track: buildTrack(3)._id, progress: 0 });
  mockBilling();
  const { user } = await renderApp('/discover', {}, { billing: billingConfig });
  const button = await screen.findByRole('button', { name: 'Play Track 3, needs a subscription' });
  await user.click(button);
  const modal = within(await screen.findByRole('dialog', { name: 'Listen to everything' }));
  const widget = await choosePlan(user, modal, 'Six months');
  const page = screen.getByRole('main', { hidden: true }).closest('body > *');
  expect(page?.hasAttribute('inert')).toBe(true);
  await widget.findByLabelText('Card number');
  const profileRequests = mockEndpoint(api.auth.me, { user: ana, subscription: activeSubscription });
  const grants = mockEndpoint(api.listening.grantAudio, {
    url: 'https://media.test/3',
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await payWithTestCard(user, widget, 'Is accepted');
  await user.click(await widget.findByRole('button', { name: 'Go back to app' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(button).toHaveFocus();
  expect(profileRequests.length).toBeGreaterThan(0);
  expect(page?.hasAttribute('inert')).toBe(false);
  const player = within(screen.getByRole('region', { name: 'Player' }));
  expect(await player.findByText('Track 3')).toBeInTheDocument();
  await waitFor(() => expect(grants).toHaveLength(1));
});

it('[BUY-01] a payment that succeeds after its page was left unlocks the tracks', async () => {
  mockSignedInUser(ana, free);
  mockEndpoint(api.subscription.findReceipts, { docs: [] });
  mockEndpoint(api.subscription.findSubscription, {
    subscription: free,
    current: null,
    plans: [],
    managementUrl: null,
  });
  mockBilling({ checkout: checkoutStatus('in_progress') });
  const { user } = await renderApp('/settings/subscription', {}, { billing: billingConfig });
  const page = within(await screen.findByRole('main'));
  await user.click(await page.findByRole('radio', { name: /^Six months/ }));
  await user.click(page.getByRole('button', { name: 'Subscribe' }));
  await page.findByLabelText('Card number');
  await payWithTestCard(user, page, 'Is accepted');
  const subscriptionRequests = mockEndpoint(api.subscription.findSubscription, 'unavailable');
  mockEndpoint(api.auth.me, { user: ana, subscription: activeSubscription });
  await user.click(screen.getByRole('link', { name: 'Library' }));
  expect(await screen.findByText('Welcome! Everything is open to you now.')).toBeInTheDocument();
  // The profile alone may be older than the purchase.
  expect(subscriptionRequests.length).toBeGreaterThan(0);
});

describe('the purchase widget', () => {
  it('[BUY-01] [BUY-05] shows plan, price and renewal beside the form', async () => {
    const { widget } = await renderPurchase('Six months');
    const panel = within(await widget.findByRole('complementary', { name: 'What you buy' }));
    expect(panel.getByText('Six months')).toBeInTheDocument();
    expect(panel.getByText('3-day free trial')).toBeInTheDocument();
    expect(panel.getByText(/^USD\s15 after end of trial$/)).toBeInTheDocument();
    expect(panel.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      'Renews every 6 months',
      'Continues until canceled',
      'Cancel anytime',
    ]);
    expect(await panel.findByText('Escucho Press')).toBeInTheDocument();
  });

  it('[SUB-05] a sandbox key shows the Sandbox badge', async () => {
    const { widget } = await renderPurchase('Yearly');
    expect(widget.getByText('Sandbox')).toBeInTheDocument();
  });

  it('[BUY-05] without a trial shows the price only', async () => {
    const [yearly, ...others] = productsJson.product_details;
    const plain = { ...yearly, default_subscription_option_id: 'base_option' };
    const { widget } = await renderPurchase('Yearly', {
      products: { json: { product_details: [plain, ...others] } },
    });
    const panel = within(await widget.findByRole('complementary', { name: 'What you buy' }));
    expect(panel.getByText(/^USD\s27$/)).toBeInTheDocument();
    expect(panel.getByText('Renews yearly')).toBeInTheDocument();
    expect(panel.queryByText(/trial/)).not.toBeInTheDocument();
  });

  it('[BUY-03] an invalid billing email shows its error and starts no purchase', async () => {
    const { user, widget, requestsTo } = await renderPurchase('Yearly', {}, { ...ana, email: null });
    const field = await widget.findByLabelText('Email');
    expect(field).toHaveValue('');
    widget.getByRole('form', { name: 'Billing email address' });
    const required = 'You need to provide your email address to continue.';
    const invalid = 'Email is not valid. Please provide a valid email address.';
    const cases = [
      ['', required],
      ['ana', invalid],
      ['   ', required],
      ['ana@example', invalid],
      ['', required],
      ['ana@@example.org', invalid],
      ['', required],
      ['ana@example.org.', invalid],
    ] as const;
    for (const [email, error] of cases) {
      await user.clear(field);
      if (email) await fillField(field, email);
      await user.click(widget.getByRole('button', { name: 'Continue' }));
      await widget.findByText(error);
    }
    expect(requestsTo('subscribe')).toHaveLength(0);
  });

  it('[BUY-02] a known e-mail starts the purchase at once; card and success follow', async () => {
    const { user, widget, requestsTo, refresh, resume } = await renderCardForm({
      checkout: [checkoutStatus('in_progress'), checkoutStatus('succeeded')],
    });
    expect(requestsTo('subscribe').map(({ body }) => body)).toEqual([
      {
        app_user_id: ana._id,
        product_id: 'half',
        email: ana.email,
        presented_offering_identifier: 'default',
        offer_id: 'trial',
      },
    ]);
    expect(requestsTo('subscribe')[0]?.headers.get('x-purchase-token')).toBe('token-1');
    expect(widget.getByText(`Receipts go to ${ana.email}`)).toBeInTheDocument();
    await payWithTestCard(user, widget, 'Is accepted');
    expect(await widget.findByText('Confirming your payment…')).toBeInTheDocument();
    expect(await widget.findByRole('heading', { name: 'Purchase successful' })).toBe(document.activeElement);
    expect(widget.getByText('Your plan is now active.')).toBeInTheDocument();
    expect(requestsTo('confirm')[0]?.body).toEqual({ client_secret: 'secret-1', outcome: 'succeeded' });
    await user.click(widget.getByRole('button', { name: 'Go back to app' }));
    await waitFor(() => expect(resume).toHaveBeenCalledOnce());
    expect(refresh).toHaveBeenCalled();
  });

  it('[BUY-02] the address of the receipts can be changed in the card step', async () => {
    const { user, widget, requestsTo } = await renderCardForm();
    await user.click(widget.getByRole('button', { name: 'Change email' }));
    const field = await widget.findByLabelText('Email');
    expect(field).toHaveValue(ana.email);
    await user.clear(field);
    await fillField(field, 'bills@example.org');
    await user.click(widget.getByRole('button', { name: 'Continue' }));
    expect(await widget.findByText('Receipts go to bills@example.org')).toBeInTheDocument();
    expect(requestsTo('subscribe').map(({ body }) => body)).toMatchObject([
      { email: ana.email },
      { email: 'bills@example.org' },
    ]);
  });

  it('[BUY-02] an address that the provider refuses opens the e-mail form', async () => {
    const { widget } = await renderPurchase('Yearly', {
      subscribe: { status: 400, json: { code: 7012, message: 'The email is invalid.' } },
    });
    expect(await widget.findByRole('form', { name: 'Billing email address' })).toBeInTheDocument();
    expect(widget.getByLabelText('Email')).toHaveValue(ana.email);
  });

  it('[BUY-02] a purchase with nothing to pay goes to success', async () => {
    const { widget } = await renderPurchase('Yearly', {
      subscribe: { json: { operation_session_id: 's', next_action: 'completed', data: {} } },
    });
    expect(await widget.findByRole('heading', { name: 'Purchase successful' })).toBeInTheDocument();
  });

  it.each([
    ['Is declined', 'Your card was declined.'],
    ['Has insufficient funds', 'Your card has insufficient funds.'],
    ['Has expired', 'Your card has expired.'],
  ])('[BUY-03] [BUY-06] the test card that "%s" marks its field: %s', async (card, text) => {
    const { user, widget, requestsTo } = await renderCardForm();
    await payWithTestCard(user, widget, card);
    const field = widget.getByLabelText('Card number');
    await waitFor(() => expect(field).toHaveAccessibleDescription(`${text} Please use another card.`));
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(field).toHaveFocus();
    expect(requestsTo('confirm')).toHaveLength(0);
    expect(requestsTo('checkout')).toHaveLength(0);
  });

  it('[BUY-06] the bank’s confirmation: a refusal marks the card, an approval succeeds', async () => {
    const { user, widget } = await renderCardForm();
    await payWithTestCard(user, widget, 'Asks the bank first');
    await user.click(await widget.findByRole('button', { name: 'Refuse' }));
    expect(await widget.findByLabelText('Card number')).toHaveAccessibleDescription(/did not approve/);
    await payWithTestCard(user, widget, 'Asks the bank first');
    await user.click(await widget.findByRole('button', { name: 'Approve' }));
    expect(await widget.findByRole('heading', { name: 'Purchase successful' })).toBeInTheDocument();
  });

  it('[BUY-06] an invalid card shows field errors', async () => {
    const { user, widget, requestsTo } = await renderCardForm();
    await user.type(widget.getByLabelText('Card number'), '4242 4242 4242 4241');
    await user.type(widget.getByLabelText('Expires (MM/YY)'), '01/20');
    await user.click(widget.getByRole('button', { name: 'Pay' }));
    expect(widget.getAllByText('This value is not valid.')).toHaveLength(2);
    expect(widget.getByText('This field is required')).toBeInTheDocument();
    expect(requestsTo('confirm')).toHaveLength(0);
  });

  it('[BUY-06] accepts an expiry date without a slash', async () => {
    const { user, widget } = await renderCardForm();
    await user.type(widget.getByLabelText('Card number'), '4242424242424242');
    await user.type(widget.getByLabelText('Expires (MM/YY)'), '1234');
    await user.type(widget.getByLabelText('Security code'), '123{Enter}');
    expect(await widget.findByRole('heading', { name: 'Purchase successful' })).toBeInTheDocument();
  });

  it('[BUY-07] Close and Escape cancel the purchase and show the plans again', async () => {
    const { user, widget } = await renderCardForm();
    await user.click(widget.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
    await user.click(await screen.findByRole('button', { name: 'Subscribe' }));
    await screen.findByLabelText('Card number');
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('dialog', { name: 'Listen to everything' })).toBeInTheDocument();
  });

  it('[BUY-04] cannot be closed while the status is polled', async () => {
    const { user, widget } = await renderCardForm({ checkout: 'silence' });
    await payWithTestCard(user, widget, 'Is accepted');
    await widget.findByText('Confirming your payment…');
    await user.keyboard('{Escape}');
    for (const close of widget.getAllByRole('button', { name: 'Close' }))
      expect(close).toHaveProperty('disabled', true);
    expect(widget.getByText('Confirming your payment…')).toBeInTheDocument();
  });
});

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
