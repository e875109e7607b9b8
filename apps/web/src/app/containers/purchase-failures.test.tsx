import { api } from '@escucho/contracts';
import { toPurchaseFailure } from '@escucho/purchases';
import { describe, expect, it, vi } from 'vitest';
import { getPurchaseErrorText } from '#features/subscription/components/purchase/purchase-screens.tsx';
import { getT, loadNamespace } from '#shared/i18n/i18n.ts';
import { checkoutStatus } from '#testing/billing.ts';
import {
  choosePlan,
  payWithTestCard,
  renderCardForm,
  renderOffer,
  renderPurchase,
} from '#testing/purchase.tsx';
import { mockEndpoint } from '#testing/server.ts';

describe('a purchase that fails', () => {
  it('[BUY-06] without a publishable key or account shows the error screen', async () => {
    const json = {
      operation_session_id: 's',
      next_action: 'collect_payment_info',
      data: { client_secret: 'a' },
    };
    const { widget } = await renderPurchase('Yearly', { subscribe: { json } });
    await widget.findByRole('heading', { name: 'Something went wrong' });
    expect(widget.getByRole('alert')).toHaveTextContent(/^Purchase not started due to an error\.$/);
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
    const { widget } = await renderPurchase('Yearly', replies);
    expect(await widget.findByRole('heading', { name: title })).toBeInTheDocument();
    expect(widget.getByRole('alert').textContent).toBe(text);
    expect(await widget.findByText(/If this error persists, please contact/)).toHaveTextContent(
      'help@escucho.example.',
    );
  });

  it('[BUY-03] without a purchase token of the portal nothing is bought', async () => {
    const { user, modal } = await renderOffer({ subscribe: 'silence' });
    mockEndpoint(api.subscription.createPurchaseToken, 'unavailable');
    const widget = await choosePlan(user, modal, 'Yearly');
    expect(await widget.findByText('Purchase not started due to an error.')).toBeInTheDocument();
  });

  it('[BUY-03] a plan without a product id has an error of its own', async () => {
    await loadNamespace('subscription');
    const failure = toPurchaseFailure('setting-up', 'Product ID was not set before purchase.');
    expect(getPurchaseErrorText(failure, getT())).toBe('Product ID was not set before purchase.');
  });

  it('[BUY-03] the error of a failed purchase is logged when the user leaves', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { user, widget } = await renderPurchase('Yearly', { subscribe: 'no network' });
    await user.click(await widget.findByRole('button', { name: 'Go back to app' }));
    expect(warn).toHaveBeenCalledWith('Purchase: Network error. Please check your internet connection.');
  });

  it('[BUY-03] the error screen falls back to the configured support address', async () => {
    const branding = { json: { seller_company_name: 'Escucho Press' } };
    const { widget } = await renderPurchase('Yearly', { subscribe: 'no network', branding });
    const link = await widget.findByRole('link', { name: 'support@escucho.example' });
    expect(link).toHaveAttribute('href', 'mailto:support@escucho.example');
  });

  it.each([
    [1, 'Purchase not started due to an error.'],
    [2, 'Purchase not started due to an error.'],
    [3, 'Payment failed.'],
    [9, 'An unknown error occurred.'],
  ])('[BUY-03] [BUY-04] a purchase that failed with code %i shows: %s', async (code, text) => {
    const { user, widget } = await renderCardForm({ checkout: checkoutStatus('failed', code) });
    await payWithTestCard(user, widget, 'Is accepted');
    expect((await widget.findByRole('alert')).textContent).toBe(text);
  });
});
