import { api, type Subscription } from '@escucho/contracts';
import { offeringsRetry } from '@escucho/purchases';
import { offeringsJson, productsJson, subscribedJson } from '@escucho/purchases/testing';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildTrack } from '#features/player/testing/fixtures.ts';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { activeSubscription, ana, mockShellEndpoints, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { billingConfig, billingEndpoints, checkoutStatus, mockBilling } from '#testing/billing.ts';
import { mockEndpoint } from '#testing/server.ts';
import { mockStripe } from '#testing/stripe.ts';

const free: Subscription = { isActive: false, store: null, willRenew: false, expiresAt: null };

beforeEach(() => {
  mockShellEndpoints();
  mockSignedInUser(ana, free);
  mockEndpoint(api.catalogue.discover, {
    continueListening: [],
    rows: [
      {
        playlist: {
          _id: '00000000-0000-4000-8000-000000000902',
          name: 'Stories',
          titles: { en: 'Short stories', es: 'Cuentos' },
          origin: 'system',
          active: true,
          images: [],
          totalTracks: 1,
          totalDuration: 200,
          createdAt: '2026-11-01T00:00:00.000Z',
        },
        tracks: [{ ...buildTrack(3), url: null }],
      },
    ],
  });
  mockEndpoint(api.listening.saveProgress, { track: buildTrack(3)._id, progress: 0 });
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
});

const button = (name: string) => screen.findByRole('button', { name });

/** Opens the subscribe modal by a track that requires a subscription. */
async function openOffer(replies: Parameters<typeof mockBilling>[0] = {}) {
  const requests = mockBilling(replies);
  const { user } = await renderApp('/discover', {}, { billing: billingConfig });
  await user.click(await button('Play Track 3, needs a subscription'));
  const modal = within(await screen.findByRole('dialog', { name: 'Listen to everything' }));
  return { user, modal, requests };
}

/** Chooses a plan in the subscribe modal. */
async function choosePlan(plan: string, replies: Parameters<typeof mockBilling>[0] = {}) {
  const { user, modal, requests } = await openOffer(replies);
  await user.click(await modal.findByRole('radio', { name: new RegExp(`^${plan}`) }));
  await user.click(modal.getByRole('button', { name: 'Subscribe' }));
  const widget = within(await screen.findByRole('dialog', { name: /^Subscribe:/ }));
  const requestsTo = (call: keyof typeof billingEndpoints) =>
    requests.filter(({ method, path }) => `${method} ${path}` === billingEndpoints[call]);
  return { user, widget, requestsTo };
}

/** Continues to the card form. */
async function openCardForm(replies: Parameters<typeof mockBilling>[0] = {}) {
  const purchase = await choosePlan('Six months', replies);
  await purchase.user.click(await purchase.widget.findByRole('button', { name: 'Continue' }));
  await purchase.widget.findByLabelText('Card number');
  return purchase;
}

async function pay(user: UserEvent, widget: ReturnType<typeof within>, card: string) {
  await user.click(widget.getByText('Test cards'));
  await user.click(widget.getByRole('button', { name: `Use the card: ${card}` }));
  await user.click(widget.getByRole('button', { name: 'Pay' }));
}

describe('the subscribe modal', () => {
  it('[SUB-01] offers three plans, the yearly one first, selected and labeled Top', async () => {
    const { modal } = await openOffer();
    const plans = await modal.findAllByRole('radio');
    expect(plans.map((plan) => plan.closest('label')?.textContent)).toEqual([
      'YearlyTop',
      'Six months',
      'Monthly',
    ]);
    expect(modal.getByRole('radio', { name: /^Yearly/, checked: true })).toBeTruthy();
    expect(modal.getAllByRole('listitem')).toHaveLength(3);
  });

  it('[SUB-01] shows the benefit and the price of the selected plan', async () => {
    const { user, modal } = await openOffer();
    const terms = [
      ['Yearly', '3-day free trial · Saves 30%', 'USD 27 per year'],
      ['Six months', '3-day free trial · Saves 16%', 'USD 15 every 6 months'],
      ['Monthly', '3-day free trial', 'USD 3 per month'],
    ] as const;
    for (const [plan, benefit, price] of terms) {
      await user.click(await modal.findByRole('radio', { name: new RegExp(`^${plan}`) }));
      modal.getByText(benefit);
      modal.getByText(
        (_, element) => element?.tagName === 'P' && element.textContent?.replace(/\s/g, ' ') === price,
      );
    }
  });

  it('[SUB-01] shows prices and texts in Spanish', async () => {
    const { modal } = await openOffer();
    await modal.findAllByRole('radio');
    await setLanguage('es');
    expect(await modal.findByText('Prueba gratis de 3 días · Ahorra un 30 %')).toBeTruthy();
    expect(modal.getByText(/27\sUSD/)).toBeTruthy();
    await setLanguage('en');
  });

  it('[SUB-03] shows that there are no plans, and logs a configuration warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { modal } = await openOffer({ offerings: { json: { current_offering_id: null, offerings: [] } } });
    expect(await modal.findByText(/No plan can be bought/)).toBeTruthy();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('configuration'));
  });

  it('[SUB-03] a refused request is repeated three times, then shows an error with a retry', async () => {
    vi.spyOn(offeringsRetry, 'retryDelay').mockReturnValue(1);
    const refusal = { status: 401, json: { code: 7225, message: 'Invalid API Key.' } };
    const offerings = [refusal, refusal, refusal, refusal, { json: offeringsJson }];
    const { user, modal, requests } = await openOffer({ offerings });
    expect(await modal.findByText(/The plans did not load/)).toBeTruthy();
    const isOfferings = ({ path }: { path: string }) => path.endsWith('/offerings');
    expect(requests.filter(isOfferings)).toHaveLength(4);
    await user.click(modal.getByRole('button', { name: 'Try again' }));
    expect(await modal.findAllByRole('radio')).toHaveLength(3);
  });

  it('[SUB-03] an unavailable provider is retried, and the retry is announced', async () => {
    const { modal } = await openOffer({ offerings: [{ status: 503 }, { json: offeringsJson }] });
    expect(await modal.findByText(/Still trying/)).toBeTruthy();
    expect(await modal.findAllByRole('radio')).toHaveLength(3);
  });
});

describe('the purchase widget', () => {
  it('[BUY-01] [BUY-05] shows plan, price and renewal beside the form', async () => {
    const { widget } = await choosePlan('Six months');
    const panel = within(await widget.findByRole('complementary', { name: 'What you buy' }));
    expect(panel.getByText('Six months')).toBeTruthy();
    expect(panel.getByText('3-day free trial')).toBeTruthy();
    expect(panel.getByText(/^USD\s15 after end of trial$/)).toBeTruthy();
    expect(panel.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      'Renews every 6 months',
      'Continues until canceled',
      'Cancel anytime',
    ]);
    expect(await panel.findByText('Escucho Press')).toBeTruthy();
  });

  it('[SUB-05] a sandbox key shows the Sandbox badge', async () => {
    const { widget } = await choosePlan('Yearly');
    expect(widget.getByText('Sandbox')).toBeTruthy();
  });

  it('[BUY-05] without a trial shows the price only', async () => {
    const [yearly, ...others] = productsJson.product_details;
    const plain = { ...yearly, default_subscription_option_id: 'base_option' };
    const { widget } = await choosePlan('Yearly', {
      products: { json: { product_details: [plain, ...others] } },
    });
    const panel = within(await widget.findByRole('complementary', { name: 'What you buy' }));
    expect(panel.getByText(/^USD\s27$/)).toBeTruthy();
    expect(panel.getByText('Renews yearly')).toBeTruthy();
    expect(panel.queryByText(/trial/)).toBeNull();
  });

  it('[BUY-03] an invalid billing email shows its error and starts no purchase', async () => {
    const { user, widget, requestsTo } = await choosePlan('Yearly');
    const field = await widget.findByLabelText('Email');
    expect(field).toHaveProperty('value', ana.email);
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
    ] as const;
    for (const [email, error] of cases) {
      await user.clear(field);
      if (email) await user.type(field, email);
      await user.click(widget.getByRole('button', { name: 'Continue' }));
      await widget.findByText(error);
    }
    expect(requestsTo('subscribe')).toHaveLength(0);
  });

  it('[BUY-02] e-mail, card and success activate the plan, and the refused track plays', async () => {
    const { user, widget, requestsTo } = await openCardForm({
      checkout: [checkoutStatus('in_progress'), checkoutStatus('succeeded')],
    });
    expect(requestsTo('subscribe')[0]?.body).toEqual({
      app_user_id: ana._id,
      product_id: 'half',
      email: ana.email,
      presented_offering_identifier: 'default',
      offer_id: 'trial',
    });
    const profileRequests = mockEndpoint(api.auth.me, { user: ana, subscription: activeSubscription });
    const grants = mockEndpoint(api.listening.grantAudio, {
      url: 'https://media.test/3',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await pay(user, widget, 'Is accepted');
    expect(await widget.findByText('Confirming your payment…')).toBeTruthy();
    expect(await widget.findByRole('heading', { name: 'Purchase successful' })).toBe(document.activeElement);
    expect(widget.getByText('Your plan is now active.')).toBeTruthy();
    await user.click(widget.getByRole('button', { name: 'Go back to app' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(profileRequests.length).toBeGreaterThan(0);
    expect(requestsTo('confirm')[0]?.body).toEqual({ client_secret: 'secret-1', outcome: 'succeeded' });
    const player = within(screen.getByRole('region', { name: 'Player' }));
    expect(await player.findByText('Track 3')).toBeTruthy();
    await waitFor(() => expect(grants).toHaveLength(1));
  });

  it('[BUY-02] a purchase with nothing to pay goes from the e-mail to success', async () => {
    const { user, widget } = await choosePlan('Yearly', {
      subscribe: { json: { operation_session_id: 's', next_action: 'completed', data: {} } },
    });
    mockEndpoint(api.auth.me, { user: ana, subscription: activeSubscription });
    await user.click(await widget.findByRole('button', { name: 'Continue' }));
    expect(await widget.findByRole('heading', { name: 'Purchase successful' })).toBeTruthy();
  });

  it.each([
    ['Is declined', 'Your card was declined.'],
    ['Has insufficient funds', 'Your card has insufficient funds.'],
    ['Has expired', 'Your card has expired.'],
  ])('[BUY-03] [BUY-06] the test card that "%s": %s', async (card, text) => {
    const { user, widget, requestsTo } = await openCardForm();
    await pay(user, widget, card);
    expect(await widget.findByRole('heading', { name: 'Something went wrong' })).toBe(document.activeElement);
    expect(widget.getByRole('alert').textContent).toBe(text);
    expect(widget.getByText(/If this error persists, please contact/).textContent).toContain(
      'help@escucho.example.',
    );
    expect(requestsTo('confirm')[0]?.body).toMatchObject({ outcome: 'failed' });
    expect(requestsTo('checkout')).toHaveLength(0);
  });

  it('[BUY-06] the bank’s question: a refusal shows an error, an approval succeeds', async () => {
    const { user, widget } = await openCardForm();
    await pay(user, widget, 'Asks the bank first');
    await user.click(await widget.findByRole('button', { name: 'Refuse' }));
    expect((await widget.findByRole('alert')).textContent).toMatch(/did not approve/);
    await user.click(widget.getByRole('button', { name: 'Try again' }));
    await widget.findByLabelText('Card number');
    mockEndpoint(api.auth.me, { user: ana, subscription: activeSubscription });
    await pay(user, widget, 'Asks the bank first');
    await user.click(await widget.findByRole('button', { name: 'Approve' }));
    expect(await widget.findByRole('heading', { name: 'Purchase successful' })).toBeTruthy();
  });

  it('[BUY-06] an invalid card shows field errors', async () => {
    const { user, widget, requestsTo } = await openCardForm();
    await user.type(widget.getByLabelText('Card number'), '4242 4242 4242 4241');
    await user.type(widget.getByLabelText('Expires (MM/YY)'), '01/20');
    await user.click(widget.getByRole('button', { name: 'Pay' }));
    expect(widget.getAllByText('This value is not valid.')).toHaveLength(2);
    expect(widget.getByText('This field is required')).toBeTruthy();
    expect(requestsTo('confirm')).toHaveLength(0);
  });

  it('[BUY-06] without a publishable key or account shows the error screen', async () => {
    const json = {
      operation_session_id: 's',
      next_action: 'collect_payment_info',
      data: { client_secret: 'a' },
    };
    const { user, widget } = await choosePlan('Yearly', { subscribe: { json } });
    await user.click(await widget.findByRole('button', { name: 'Continue' }));
    await widget.findByRole('heading', { name: 'Something went wrong' });
    expect(widget.getByRole('alert').textContent).toBe('Purchase not started due to an error.');
  });

  it.each([
    [
      '[BUY-07] it is active already',
      { subscribe: { status: 409, json: { code: 7772 } } },
      'Already subscribed',
      'You are already subscribed to this product.',
    ],
    [
      'it is refused',
      { subscribe: { status: 404, json: { code: 7814 } } },
      'Something went wrong',
      'Purchase not started due to an error.',
    ],
    [
      'the provider is away',
      { subscribe: 'no network' },
      'Something went wrong',
      'Network error. Please check your internet connection.',
    ],
  ] as const)('[BUY-03] %s: the error screen', async (_, replies, title, text) => {
    const { user, widget } = await choosePlan('Yearly', replies);
    await user.click(await widget.findByRole('button', { name: 'Continue' }));
    expect(await widget.findByRole('heading', { name: title })).toBeTruthy();
    expect(widget.getByRole('alert').textContent).toBe(text);
  });

  it.each([
    [1, 'Purchase not started due to an error.'],
    [2, 'Purchase not started due to an error.'],
    [3, 'Payment failed.'],
    [9, 'An unknown error occurred.'],
  ])('[BUY-03] [BUY-04] a purchase that failed with code %i shows: %s', async (code, text) => {
    const { user, widget } = await openCardForm({ checkout: checkoutStatus('failed', code) });
    await pay(user, widget, 'Is accepted');
    expect((await widget.findByRole('alert')).textContent).toBe(text);
  });

  it('[BUY-07] Close and Escape cancel the purchase and show the plans again', async () => {
    const { user, widget, requestsTo } = await choosePlan('Monthly');
    await user.click((await widget.findAllByRole('button', { name: 'Close' })).at(-1) ?? document.body);
    await user.click(await button('Subscribe'));
    await screen.findByRole('form', { name: 'Billing email address' });
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('dialog', { name: 'Listen to everything' })).toBeTruthy();
    expect(requestsTo('subscribe')).toHaveLength(0);
  });

  it('[BUY-04] cannot be closed while the status is polled', async () => {
    const { user, widget } = await openCardForm({ checkout: 'silence' });
    await pay(user, widget, 'Is accepted');
    await widget.findByText('Confirming your payment…');
    await user.keyboard('{Escape}');
    for (const close of widget.getAllByRole('button', { name: 'Close' }))
      expect(close).toHaveProperty('disabled', true);
    expect(widget.getByText('Confirming your payment…')).toBeTruthy();
  });

  it('the page under the widget is inert until it closes', async () => {
    const { user } = await choosePlan('Yearly');
    const page = screen.getByRole('main', { hidden: true }).closest('body > *');
    expect(page?.hasAttribute('inert')).toBe(true);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(page?.hasAttribute('inert')).toBe(false));
  });
});

describe('[BUY-06] a publishable key of Stripe shows Stripe’s form', () => {
  const json = {
    ...subscribedJson,
    data: { client_secret: 'seti_1_secret', publishable_api_key: 'pk_test_1', stripe_account_id: 'acct_1' },
  };

  async function atStripe(confirmSetup: Parameters<typeof mockStripe>[0]) {
    const stripe = mockStripe(confirmSetup);
    const { user, widget } = await choosePlan('Yearly', { subscribe: { json } });
    await user.click(await widget.findByRole('button', { name: 'Continue' }));
    expect(await widget.findByText('Stripe’s fields')).toBeTruthy();
    expect(stripe.created[0]).toEqual(['pk_test_1', expect.objectContaining({ stripeAccount: 'acct_1' })]);
    expect(stripe.elements[0]).toMatchObject({ clientSecret: 'seti_1_secret', locale: 'en' });
    const pay = await widget.findByRole('button', { name: 'Pay' });
    await waitFor(() => expect(pay).toHaveProperty('disabled', false));
    await user.click(pay);
    return { widget, stripe };
  }

  it('an accepted card succeeds', async () => {
    const { widget, stripe } = await atStripe(async () => ({}));
    expect(await widget.findByRole('heading', { name: 'Purchase successful' })).toBeTruthy();
    expect(stripe.confirmed[0]).toMatchObject({ redirect: 'if_required' });
  });

  it('a refused card shows Stripe’s message', async () => {
    const { widget } = await atStripe(async () => ({
      error: { type: 'card_error', message: 'Your card has a secret sorrow.' },
    }));
    expect((await widget.findByRole('alert')).textContent).toBe('Your card has a secret sorrow.');
  });

  it('a validation error stays on the form', async () => {
    const { widget, stripe } = await atStripe(async () => ({ error: { type: 'validation_error' } }));
    await waitFor(() => expect(stripe.confirmed).toHaveLength(1));
    expect(widget.getByText('Stripe’s fields')).toBeTruthy();
    expect(widget.queryByRole('alert')).toBeNull();
  });

  it('a form that throws shows a network error', async () => {
    const { widget } = await atStripe(async () => Promise.reject(new Error('gone')));
    expect((await widget.findByRole('alert')).textContent).toBe(
      'Network error. Please check your internet connection.',
    );
  });
});
