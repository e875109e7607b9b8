import { api } from '@escucho/contracts';
import { offeringsRetry } from '@escucho/purchases';
import { offeringsJson } from '@escucho/purchases/testing';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openSubscribeModal } from '#features/subscription/subscription.ts';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { ana, free, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { billingConfig, checkoutStatus, mockBilling } from '#testing/billing.ts';
import { choosePlan, payWithTestCard, renderOffer } from '#testing/purchase.tsx';
import { mockEndpoint } from '#testing/server.ts';

it('[SUB-01] offers three plans, the yearly one first, selected and labeled Top', async () => {
  const { modal } = await renderOffer();
  const plans = await modal.findAllByRole('radio');
  expect(plans.map((plan) => plan.closest('label')?.textContent?.replace(/\s/g, ' '))).toEqual([
    'YearlyTopUSD 2.25 a month',
    'Six monthsUSD 2.50 a month',
    'MonthlyUSD 3 a month',
  ]);
  expect(modal.getByRole('radio', { name: /^Yearly/, checked: true })).toBeInTheDocument();
  expect(modal.getAllByRole('listitem')).toHaveLength(3);
});

it('[PLAY-04] names what is free without a plan', async () => {
  const { modal } = await renderOffer();
  expect(modal.getByText(/The newest article and one at your level are free/)).toBeInTheDocument();
});

it('[SUB-01] shows the benefit and the price of the selected plan', async () => {
  const { user, modal } = await renderOffer();
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

it('[SUB-01] shows what is charged today, and the first charge with its date', async () => {
  vi.setSystemTime(new Date(2026, 10, 29, 12));
  const { modal } = await renderOffer();
  await modal.findAllByRole('radio');
  const getText = (name: string) => modal.getByText(name, { exact: false }).textContent?.replace(/\s/g, ' ');
  expect(getText('Total today')).toBe('Total today USD 0');
  expect(getText('First charge')).toBe('First charge on 02 Dec 2026 USD 27');
});

it('[SUB-01] shows prices and texts in Spanish', async () => {
  const { modal } = await renderOffer();
  await modal.findAllByRole('radio');
  await setLanguage('es');
  expect(await modal.findByText('Prueba gratis de 3 días · Ahorra un 30 %')).toBeInTheDocument();
  expect(modal.getAllByText(/27\sUSD/)).not.toHaveLength(0);
  await setLanguage('en');
});

it('[SUB-03] shows that there are no plans, and logs a configuration warning', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const { modal } = await renderOffer({ offerings: { json: { current_offering_id: null, offerings: [] } } });
  expect(await modal.findByText(/No plan can be bought/)).toBeInTheDocument();
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('configuration'));
});

it('[SUB-03] a refused request is repeated three times, then shows an error with a retry', async () => {
  vi.spyOn(offeringsRetry, 'retryDelay').mockReturnValue(1);
  const refusal = { status: 401, json: { code: 7225, message: 'Invalid API Key.' } };
  const offerings = [refusal, refusal, refusal, refusal, { json: offeringsJson }];
  const { user, modal, requests } = await renderOffer({ offerings });
  expect(await modal.findByText(/The plans did not load/)).toBeInTheDocument();
  const isOfferings = ({ path }: { path: string }) => path.endsWith('/offerings');
  expect(requests.filter(isOfferings)).toHaveLength(4);
  await user.click(modal.getByRole('button', { name: 'Try again' }));
  expect(await modal.findAllByRole('radio')).toHaveLength(3);
});

it('[SUB-03] an unavailable provider is retried, and the retry is announced', async () => {
  vi.spyOn(offeringsRetry, 'retryDelay').mockReturnValue(200);
  const { modal } = await renderOffer({ offerings: [{ status: 503 }, { json: offeringsJson }] });
  expect(await modal.findByText(/Still trying/)).toBeInTheDocument();
  expect(await modal.findAllByRole('radio')).toHaveLength(3);
});

it('[SUB-03] shows when the plans wait for the network, and loads them with it', async () => {
  onlineManager.setOnline(false);
  const { modal } = await renderOffer();
  expect(await modal.findByText(/The plans did not load/)).toBeInTheDocument();
  act(() => onlineManager.setOnline(true));
  expect(await modal.findAllByRole('radio')).toHaveLength(3);
});

/** Opens the purchase of a plan on a page that was opened from the library. */
async function openPurchase(replies: Parameters<typeof mockBilling>[0] = {}) {
  mockSignedInUser(ana, free);
  mockEndpoint(api.catalogue.findArticles, { docs: [], totalDocs: 0 });
  mockBilling(replies);
  const { user } = await renderApp('/library', {}, { billing: billingConfig });
  await user.click(await screen.findByRole('link', { name: 'Visual books' }));
  await screen.findByRole('heading', { name: 'Visual books', level: 1 });
  act(() => openSubscribeModal(() => undefined));
  const modal = within(await screen.findByRole('dialog', { name: 'Listen to everything' }));
  const widget = await choosePlan(user, modal, 'Six months');
  await widget.findByLabelText('Card number');
  return { user, widget };
}

const findLibrary = () => screen.findByRole('heading', { name: 'Your library', level: 1, hidden: true });

it('[SUB-01] [BUY-01] back closes a purchase', async () => {
  await openPurchase();
  history.back();
  await findLibrary();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('[SUB-01] [BUY-01] back does not close a payment', async () => {
  const { user, widget } = await openPurchase({ checkout: checkoutStatus('in_progress') });
  await payWithTestCard(user, widget, 'Is accepted');
  history.back();
  await findLibrary();
  expect(screen.getByRole('dialog', { name: /^Subscribe:/ })).toBeInTheDocument();
});
