import * as z from 'zod/mini';
import type { Account } from '../account.ts';
import type { Customers } from '../customers.ts';
import { maybe, metadata, page, text, yesNo } from '../forms.ts';
import { type Call, is, on, pageOf, retrieve } from './call.ts';

interface Parts {
  account: Account;
  customers: Customers;
}

const customer = {
  ...{ email: maybe(text), name: maybe(text), metadata: maybe(metadata) },
  preferred_locales: maybe(z.array(text)),
  invoice_settings: maybe(z.strictObject({ default_payment_method: maybe(text) })),
};
const automatic = z.strictObject({ enabled: yesNo, allow_redirects: maybe(z.enum(['always', 'never'])) });

/** Those who pay, and their cards. */
export const customerCalls = ({ account, customers }: Parts): Call[] => [
  on('POST', '/v1/customers', customer, (fields) => customers.create(fields)),
  on('POST', '/v1/customers/:id', customer, (fields, id) => customers.update(id, fields)),
  on('GET', '/v1/customers/:id', {}, (_, id) => customers.retrieve(id)),
  on('DELETE', '/v1/customers/:id', {}, (_, id) => customers.remove(id)),
  on('GET', '/v1/customers', { ...page, email: maybe(text) }, ({ email, ...cut }) =>
    pageOf(account, 'customer', (each) => is(email, each.email), cut),
  ),
  on(
    'POST',
    '/v1/setup_intents',
    {
      ...{ customer: maybe(text), usage: maybe(z.enum(['off_session', 'on_session'])) },
      ...{ automatic_payment_methods: maybe(automatic), metadata: maybe(metadata) },
    },
    (fields) => customers.setUp(fields),
  ),
  retrieve(account, '/v1/setup_intents', 'setup_intent'),
  retrieve(account, '/v1/payment_methods', 'payment_method'),
];
