import * as z from 'zod/mini';
import { type Account, createId, invalidReference, notFound } from './account.ts';
import type { Metadata, StripeObjects } from './objects.ts';
import {
  bool,
  isMatch,
  metadata,
  optional,
  page,
  paginate,
  type Route,
  retrieveRoute,
  route,
  text,
} from './routes.ts';
import type { Subscriptions } from './subscriptions.ts';

interface CustomerFields {
  email?: string | undefined;
  name?: string | undefined;
  metadata?: Metadata | undefined;
  preferred_locales?: string[] | undefined;
  invoice_settings?: { default_payment_method?: string | undefined } | undefined;
}

/** Creates the operations on customers, payment methods and setup intents. */
export function createCustomers(account: Account, subscriptions: Subscriptions) {
  function applyFields(
    customer: StripeObjects['customer'],
    fields: CustomerFields,
  ): StripeObjects['customer'] {
    const { invoice_settings: settings, metadata, ...plain } = fields;
    const card = settings?.default_payment_method;
    if (card) {
      const param = 'invoice_settings[default_payment_method]';
      if (account.requireParam('payment_method', card, param).customer !== customer.id)
        throw invalidReference('payment_method', param, card);
    }
    Object.assign(customer, plain);
    Object.assign(customer.metadata, metadata);
    if (card !== undefined) customer.invoice_settings.default_payment_method = card || null;
    return customer;
  }

  return {
    create(fields: CustomerFields): StripeObjects['customer'] {
      const customer = account.save('customer', {
        id: createId('cus'),
        object: 'customer',
        created: account.now(),
        email: null,
        name: null,
        metadata: {},
        livemode: true,
        preferred_locales: [],
        delinquent: false,
        invoice_settings: { default_payment_method: null },
      });
      return applyFields(customer, fields);
    },

    update(id: string, fields: CustomerFields): StripeObjects['customer'] {
      const customer = applyFields(account.get('customer', id), fields);
      account.emit('customer.updated', customer, id);
      return customer;
    },

    /** Stripe also retrieves a deleted customer. */
    retrieve(id: string): object {
      return account.deleted.has(id)
        ? { id, object: 'customer', deleted: true }
        : account.get('customer', id);
    },

    /** Deletes a customer, detaches its cards and cancels its subscriptions. */
    remove(id: string): object {
      if (!account.find('customer', id)) throw notFound('customer', id);
      subscriptions.cancelAll(id);
      for (const card of account.list('payment_method')) if (card.customer === id) card.customer = null;
      account.objects.customer.delete(id);
      account.deleted.add(id);
      return { id, object: 'customer', deleted: true };
    },

    createSetupIntent(fields: {
      customer?: string | undefined;
      usage?: string | undefined;
      metadata?: Metadata | undefined;
    }) {
      const { customer = null, usage = 'off_session', metadata = {} } = fields;
      if (customer) account.requireParam('customer', customer, 'customer');
      const id = createId('seti');
      return account.save('setup_intent', {
        id,
        object: 'setup_intent',
        created: account.now(customer ?? undefined),
        customer,
        usage,
        client_secret: `${id}_secret`,
        status: 'requires_payment_method',
        payment_method: null,
        metadata,
        livemode: true,
        last_setup_error: null,
      });
    },

    /** Completes the card form of a setup intent: attaches a new card to the customer. */
    completeSetup(clientSecret: string): StripeObjects['setup_intent'] {
      const setup = account.list('setup_intent').find((each) => each.client_secret === clientSecret);
      if (!setup) throw new Error('There is no such set-up');
      const { customer } = setup;
      const card = account.save('payment_method', {
        id: createId('pm'),
        object: 'payment_method',
        type: 'card',
        livemode: true,
        metadata: {},
        customer,
        created: account.now(customer ?? undefined),
        card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
      });
      Object.assign(setup, { status: 'succeeded', payment_method: card.id });
      account.emit('payment_method.attached', card, customer ?? undefined);
      account.emit('setup_intent.succeeded', setup, customer ?? undefined);
      return setup;
    },
  };
}
export type Customers = ReturnType<typeof createCustomers>;

const customer = {
  email: optional(text),
  name: optional(text),
  metadata: optional(metadata),
  preferred_locales: optional(z.array(text)),
  invoice_settings: optional(z.strictObject({ default_payment_method: optional(text) })),
};
const automatic = z.strictObject({ enabled: bool, allow_redirects: optional(z.enum(['always', 'never'])) });

export const customerRoutes = (account: Account, customers: Customers): Route[] => [
  route('POST', '/v1/customers', customer, (fields) => customers.create(fields)),
  route('POST', '/v1/customers/:id', customer, (fields, id) => customers.update(id, fields)),
  route('GET', '/v1/customers/:id', {}, (_, id) => customers.retrieve(id)),
  route('DELETE', '/v1/customers/:id', {}, (_, id) => customers.remove(id)),
  route('GET', '/v1/customers', { ...page, email: optional(text) }, ({ email, ...pagination }) =>
    paginate(account, 'customer', (each) => isMatch(email, each.email), pagination),
  ),
  route(
    'POST',
    '/v1/setup_intents',
    {
      customer: optional(text),
      usage: optional(z.enum(['off_session', 'on_session'])),
      automatic_payment_methods: optional(automatic),
      metadata: optional(metadata),
    },
    (fields) => customers.createSetupIntent(fields),
  ),
  retrieveRoute(account, '/v1/setup_intents', 'setup_intent'),
  retrieveRoute(account, '/v1/payment_methods', 'payment_method'),
];
