import * as z from 'zod/mini';
import type { Account } from '../account.ts';
import { maybe, page, text, yesNo } from '../forms.ts';
import type { Invoices } from '../invoices.ts';
import { type Call, is, on, pageOf, retrieve } from './call.ts';

interface Parts {
  account: Account;
  invoices: Invoices;
}

const payment = z.strictObject({ type: z.enum(['payment_intent']), payment_intent: maybe(text) });

/** Invoices, and what paid them. */
export const invoiceCalls = ({ account, invoices }: Parts): Call[] => [
  retrieve(account, '/v1/invoices', 'invoice'),
  on(
    'GET',
    '/v1/invoices',
    {
      ...{ ...page, customer: maybe(text), subscription: maybe(text) },
      status: maybe(z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])),
    },
    ({ customer: of, subscription, status, ...cut }) =>
      pageOf(
        ...([account, 'invoice'] as const),
        (each) =>
          is(of, each.customer) &&
          is(status, each.status) &&
          is(subscription, each.parent.subscription_details.subscription),
        cut,
      ),
  ),
  on('POST', '/v1/invoices/:id/finalize', { auto_advance: maybe(yesNo) }, ({ auto_advance: goesOn }, id) => {
    const invoice = account.get('invoice', id);
    if (goesOn !== undefined) invoice.auto_advance = goesOn;
    return invoices.finalize(invoice);
  }),
  on(
    'POST',
    '/v1/invoices/:id/pay',
    { payment_method: maybe(text), off_session: maybe(yesNo) },
    ({ payment_method: card }, id) => invoices.pay(account.get('invoice', id), card),
  ),
  on('POST', '/v1/invoices/:id/void', {}, (_, id) => invoices.void(account.get('invoice', id))),
  retrieve(account, '/v1/invoice_payments', 'invoice_payment'),
  on(
    'GET',
    '/v1/invoice_payments',
    {
      ...{ ...page, invoice: maybe(text), payment: maybe(payment) },
      status: maybe(z.enum(['open', 'paid', 'canceled'])),
    },
    ({ invoice, payment: by, status, ...cut }) =>
      pageOf(
        ...([account, 'invoice_payment'] as const),
        (each) =>
          is(invoice, each.invoice) &&
          is(status, each.status) &&
          is(by?.payment_intent, each.payment.payment_intent),
        cut,
      ),
  ),
];
