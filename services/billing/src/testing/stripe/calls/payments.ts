import type { Account } from '../account.ts';
import { maybe, metadata, page, text, whole } from '../forms.ts';
import type { Payments } from '../payments.ts';
import { impossible } from '../refusal.ts';
import { type Call, is, on, pageOf, retrieve } from './call.ts';

interface Parts {
  account: Account;
  payments: Payments;
}

/** Payments, and money that goes back. */
export const paymentCalls = ({ account, payments }: Parts): Call[] => [
  retrieve(account, '/v1/payment_intents', 'payment_intent'),
  on('GET', '/v1/payment_intents', { ...page, customer: maybe(text) }, ({ customer: of, ...cut }) =>
    pageOf(account, 'payment_intent', (each) => is(of, each.customer), cut),
  ),
  on('POST', '/v1/payment_intents/:id/cancel', {}, (_, id) => {
    account.get('payment_intent', id);
    throw impossible('You cannot cancel a PaymentIntent of an invoice: void the invoice instead.');
  }),
  retrieve(account, '/v1/charges', 'charge'),
  on(
    'POST',
    '/v1/refunds',
    { payment_intent: text, amount: maybe(whole), metadata: maybe(metadata) },
    (fields) => payments.refund(fields),
  ),
  retrieve(account, '/v1/refunds', 'refund'),
  on('GET', '/v1/refunds', { ...page, payment_intent: maybe(text) }, ({ payment_intent: of, ...cut }) =>
    pageOf(account, 'refund', (each) => is(of, each.payment_intent), cut),
  ),
  retrieve(account, '/v1/disputes', 'dispute'),
  on('GET', '/v1/disputes', { ...page, payment_intent: maybe(text) }, ({ payment_intent: of, ...cut }) =>
    pageOf(account, 'dispute', (each) => is(of, each.payment_intent), cut),
  ),
];
