import { api, type PurchasedSubscription, type ResponseBody } from '@escucho/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { findButton, free } from '#testing/app.tsx';
import {
  canceled,
  mockBilling,
  mockSubscriber,
  openSettings,
  paidPlan,
  sandbox,
  unconfirmed,
  unpaid,
  withConfirmation,
  withoutPlan,
  withPlan,
} from '#testing/billing.ts';
import { createDeferred } from '#testing/deferred.ts';
import { mockEndpoint } from '#testing/server.ts';
import { mockStripe } from '#testing/stripe.ts';

beforeEach(mockSubscriber);

describe('a renewal that needs confirmation', () => {
  /**
   * Opens the bank's confirmation.
   *
   * @param result - the response once the payment is confirmed
   */
  async function openConfirmation(
    keys = sandbox,
    result: ResponseBody<typeof api.subscription.payRenewal> = withConfirmation(keys),
  ) {
    const requests = mockBilling();
    const { user } = await openSettings(withPlan(unconfirmed));
    const replies = [withConfirmation(keys)];
    mockEndpoint(api.subscription.payRenewal, () => replies.pop() ?? result);
    expect(
      await screen.findByText(/^Your bank wants you to confirm .* until 27 Nov 2026\.$/),
    ).toBeInTheDocument();
    await user.click(await findButton('Confirm payment'));
    return { user, requests, dialog: within(await screen.findByRole('dialog', { name: 'Confirm payment' })) };
  }

  it('[SUB-07] is confirmed in the settings, then the plan renews', async () => {
    const { user, requests, dialog } = await openConfirmation();
    expect(dialog.getByText('Do you allow this payment for your plan?')).toBeInTheDocument();
    mockEndpoint(api.subscription.payRenewal, paidPlan);
    await user.click(dialog.getByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeInTheDocument();
    expect(requests.find(({ path }) => path === '/sandbox/authenticate')?.body).toEqual({
      client_secret: 'secret-1',
      outcome: 'succeeded',
    });
    expect(screen.getByText('Your payment went through.')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('[SUB-07] that the bank refuses shows an error, and can be retried or closed', async () => {
    const { user, dialog } = await openConfirmation();
    await user.click(dialog.getByRole('button', { name: 'Refuse' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(/did not confirm the payment/);
    expect(dialog.getByRole('heading', { name: 'Something went wrong' })).toHaveFocus();
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Approve' })).toBeInTheDocument();
    await user.keyboard('{Escape}');
    expect(await findButton('Confirm payment')).toBeTruthy();
  });

  it('[SUB-07] is confirmed in Stripe’s frame if the card is Stripe’s', async () => {
    const { promise: payment, resolve: confirmPayment } = createDeferred();
    const stripe = mockStripe(async () => {
      await payment;
      return {};
    });
    const keys = { clientSecret: 'pi_1_secret', publishableKey: 'pk_test_1', accountId: 'acct_1' };
    await openConfirmation(keys, paidPlan);
    await waitFor(() => expect(stripe.payments).toEqual([['pi_1_secret', { payment_method: 'pm_1' }]]));
    confirmPayment();
    expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeInTheDocument();
  });

  it('[SUB-07] that was paid in the meantime needs no confirmation', async () => {
    mockBilling();
    const { user } = await openSettings(withPlan(unconfirmed));
    mockEndpoint(api.subscription.payRenewal, paidPlan);
    await user.click(await findButton('Confirm payment'));
    expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeInTheDocument();
  });
});

describe('a renewal that was refused', () => {
  it('[SUB-07] is paid by the same card on another attempt', async () => {
    mockBilling();
    const { user } = await openSettings(withPlan(unpaid));
    const payments = mockEndpoint(api.subscription.payRenewal, { ...withPlan(unpaid), confirmation: null });
    await user.click(await findButton('Pay now'));
    expect(await screen.findByText('Your card was declined.')).toBeInTheDocument();
    mockEndpoint(api.subscription.payRenewal, paidPlan);
    await user.click(await findButton('Pay now'));
    expect(await screen.findByText('Your payment went through.')).toBeInTheDocument();
    expect(payments).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Pay now' })).not.toBeInTheDocument();
  });

  it('[SUB-07] whose time is over by then is reported as ended, not as paid', async () => {
    mockBilling();
    const { user } = await openSettings(withPlan(unpaid));
    mockEndpoint(api.subscription.payRenewal, { ...withoutPlan(free), confirmation: null });
    await user.click(await findButton('Pay now'));
    expect(await screen.findByText('Your plan has ended.')).toBeInTheDocument();
    expect(screen.queryByText('Your payment went through.')).not.toBeInTheDocument();
  });

  it('[SUB-07] is paid before another card can be entered', async () => {
    mockBilling();
    const { user } = await openSettings(withPlan(unpaid));
    const { promise: delay, resolve: respond } = createDeferred();
    mockEndpoint(api.subscription.payRenewal, withConfirmation(), delay);
    const setups = mockEndpoint(api.subscription.createCardSetup, { ...sandbox, setup: 'setup-1' });
    await user.click(await findButton('Pay now'));
    await user.click(await findButton('Change card'));
    respond();
    expect(await screen.findByRole('dialog', { name: 'Confirm payment' })).toBeInTheDocument();
    expect(setups).toEqual([]);
  });

  it('[SUB-07] that now needs confirmation opens the confirmation', async () => {
    mockBilling();
    const { user } = await openSettings(withPlan(unpaid));
    mockEndpoint(api.subscription.payRenewal, withConfirmation());
    await user.click(await findButton('Pay now'));
    expect(await screen.findByRole('button', { name: 'Approve' })).toBeInTheDocument();
  });

  it('[SUB-07] cannot be paid once the plan is canceled', async () => {
    await openSettings(withPlan({ ...unpaid, ...canceled }));
    await findButton('Resume plan');
    expect(screen.queryByRole('button', { name: 'Pay now' })).not.toBeInTheDocument();
  });
});

describe('another card', () => {
  async function openCardForm(changes: Partial<PurchasedSubscription> = {}) {
    const requests = mockBilling();
    const { user } = await openSettings(withPlan(changes));
    mockEndpoint(api.subscription.createCardSetup, { ...sandbox, setup: 'setup-1' });
    await user.click(await findButton('Change card'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change card' }));
    await user.click(await dialog.findByText('Test cards'));
    const use = async (card: string) => {
      await user.click(dialog.getByRole('button', { name: new RegExp(`${card}$`) }));
      await user.click(dialog.getByRole('button', { name: 'Use this card' }));
    };
    return { user, requests, dialog, use };
  }

  it('[SUB-07] replaces the card by a form in the settings', async () => {
    const { requests, use } = await openCardForm();
    const replacements = mockEndpoint(api.subscription.replaceCard, paidPlan);
    await use('Asks the bank at each renewal');
    expect(await screen.findByText('Your plan is paid with the new card from now on.')).toBeInTheDocument();
    expect(replacements[0]?.body).toEqual({ setup: 'setup-1' });
    expect(requests.find(({ path }) => path === '/sandbox/confirm')?.body).toEqual({
      client_secret: 'secret-1',
      outcome: 'succeeded',
      charges: 'authentication_required',
    });
  });

  it('[SUB-07] pays an unpaid renewal, after a confirmation if the bank requires it', async () => {
    const { user, dialog, use } = await openCardForm(unpaid);
    mockEndpoint(api.subscription.replaceCard, withConfirmation());
    await use('Asks the bank at each renewal');
    mockEndpoint(api.subscription.payRenewal, paidPlan);
    await user.click(await dialog.findByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('Your payment went through.')).toBeInTheDocument();
  });

  it.each([
    ['is declined as it is taken', withPlan(unpaid), 'Your card was declined.'],
    ['is not there in the end', 'conflict', 'This was changed elsewhere in the meantime.'],
  ] as const)('[SUB-07] that %s shows an error', async (_, reply, text) => {
    const { dialog, use } = await openCardForm(unpaid);
    const { confirmation } = paidPlan;
    mockEndpoint(api.subscription.replaceCard, reply === 'conflict' ? reply : { ...reply, confirmation });
    await use('Is accepted');
    expect((await dialog.findByRole('alert')).textContent).toBe(text);
  });

  it('[SUB-07] that is declined marks its field, and another can be entered', async () => {
    const { dialog, use } = await openCardForm();
    await use('Is declined');
    const field = dialog.getByLabelText('Card number');
    expect(field).toHaveAccessibleDescription('Your card was declined. Please use another card.');
    mockEndpoint(api.subscription.replaceCard, paidPlan);
    await use('Is accepted');
    expect(await screen.findByText('Your plan is paid with the new card from now on.')).toBeInTheDocument();
  });
});
