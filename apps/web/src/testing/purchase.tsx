import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { SubscribeOffer } from '../features/subscription/components/subscribe-offer.tsx';
import type { Buyer } from '../features/subscription/subscription.ts';
import { initLanguage, loadNamespace } from '../shared/i18n/i18n.ts';
import { BrowserLocationProvider } from '../shared/location.tsx';
import { ana } from './app.tsx';
import { billingConfig, billingEndpoints, mockBilling } from './billing.ts';
import { mockConfig } from './server.ts';

type Replies = Parameters<typeof mockBilling>[0];
type Queries = ReturnType<typeof within>;

/** Renders the content of the subscribe modal, without the app around it. */
export async function renderOffer(replies: Replies = {}, buyer: Buyer = ana) {
  const requests = mockBilling(replies);
  mockConfig({}, { billing: billingConfig });
  await initLanguage();
  await loadNamespace('subscription');
  const refresh = vi.fn<() => Promise<boolean>>().mockResolvedValue(true);
  const resume = vi.fn<() => void>();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SubscribeOffer buyer={buyer} refresh={refresh} resume={resume} onClose={() => undefined} />
    </QueryClientProvider>,
    { wrapper: BrowserLocationProvider },
  );
  const modal = within(await screen.findByRole('dialog', { name: 'Listen to everything' }));
  return { user: userEvent.setup(), modal, requests, refresh, resume };
}

/** Chooses a plan in the subscribe modal. Returns the purchase widget. */
export async function choosePlan(user: UserEvent, modal: Queries, plan: string): Promise<Queries> {
  await user.click(await modal.findByRole('radio', { name: new RegExp(`^${plan}`) }));
  await user.click(modal.getByRole('button', { name: 'Subscribe' }));
  return within(await screen.findByRole('dialog', { name: /^Subscribe:/ }));
}

/** Renders the offer and chooses a plan. */
export async function renderPurchase(plan: string, replies?: Replies, buyer?: Buyer) {
  const { user, modal, requests, ...spies } = await renderOffer(replies, buyer);
  const widget = await choosePlan(user, modal, plan);
  const requestsTo = (call: keyof typeof billingEndpoints) =>
    requests.filter(({ method, path }) => `${method} ${path}` === billingEndpoints[call]);
  return { user, widget, requestsTo, ...spies };
}

/** Renders a purchase of the six-month plan up to its card form. */
export async function renderCardForm(replies?: Replies) {
  const purchase = await renderPurchase('Six months', replies);
  await purchase.widget.findByLabelText('Card number');
  return purchase;
}

/** Pays with a test card, named by its behavior. */
export async function payWithTestCard(user: UserEvent, widget: Queries, card: string): Promise<void> {
  await user.click(widget.getByText('Test cards'));
  await user.click(widget.getByRole('button', { name: new RegExp(`${card}$`) }));
  await user.click(widget.getByRole('button', { name: 'Pay' }));
}
