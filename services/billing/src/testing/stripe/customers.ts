import * as z from 'zod/mini';
import { type Account, createId, invalidReference, invalidRequest } from './account.ts';
import type { StripeObjects } from './objects.ts';
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

const customerFields = {
  email: optional(text),
  invoice_settings: optional(z.strictObject({ default_payment_method: text })),
};
type CustomerFields = z.output<z.ZodMiniObject<typeof customerFields>>;

const automatic = z.strictObject({ enabled: bool, allow_redirects: z.enum(['always', 'never']) });

/** Creates customers, payment methods and setup intents. */
export function createCustomers(account: Account, subscriptions: Subscriptions) {
  function applyFields(customer: StripeObjects['customer'], { email, invoice_settings }: CustomerFields) {
    if (email !== undefined) customer.email = email;
    if (!invoice_settings) return customer;
    const { default_payment_method: card } = invoice_settings;
    const param = 'invoice_settings[default_payment_method]';
    if (account.requireParam('payment_method', card, param).customer !== customer.id)
      throw invalidReference('payment_method', param, card);
    customer.invoice_settings = invoice_settings;
    return customer;
  }

  const toDeleted = (id: string) => ({ id, object: 'customer', deleted: true });

  const routes = [
    route('POST', '/v1/customers', customerFields, (fields) => {
      const customer = account.save('customer', {
        id: createId('cus'),
        object: 'customer',
        created: account.now(),
        email: null,
        invoice_settings: { default_payment_method: null },
      });
      return applyFields(customer, fields);
    }),
    route('POST', '/v1/customers/:id', customerFields, (fields, id) => {
      const customer = applyFields(account.get('customer', id), fields);
      account.emit('customer.updated', customer, id);
      return customer;
    }),
    // Stripe also retrieves a deleted customer.
    route('GET', '/v1/customers/:id', {}, (_, id) =>
      account.deleted.has(id) ? toDeleted(id) : account.get('customer', id),
    ),
    // Deletes a customer, detaches its cards and cancels its subscriptions.
    route('DELETE', '/v1/customers/:id', {}, (_, id) => {
      account.get('customer', id);
      subscriptions.cancelAll(id);
      for (const card of account.list('payment_method')) if (card.customer === id) card.customer = null;
      account.objects.customer.delete(id);
      account.deleted.add(id);
      return toDeleted(id);
    }),
    route(
      'POST',
      '/v1/setup_intents',
      {
        customer: optional(text),
        usage: optional(z.literal('off_session')),
        automatic_payment_methods: optional(automatic),
        metadata: optional(metadata),
      },
      ({ customer = null }) => {
        if (customer) account.requireParam('customer', customer, 'customer');
        const id = createId('seti');
        return account.save('setup_intent', {
          id,
          object: 'setup_intent',
          created: account.now(customer ?? undefined),
          customer,
          client_secret: `${id}_secret`,
          status: 'requires_payment_method',
          payment_method: null,
        });
      },
    ),
    retrieveRoute(account, '/v1/setup_intents', 'setup_intent'),
  ];

  return {
    routes,

    /** Completes the card form of a setup intent: attaches a new card to the customer. */
    completeSetup(clientSecret: string): StripeObjects['setup_intent'] {
      const setup = account.list('setup_intent').find((each) => each.client_secret === clientSecret);
      if (!setup) throw new Error('There is no such set-up');
      const { customer } = setup;
      const card = account.save('payment_method', {
        id: createId('pm'),
        object: 'payment_method',
        type: 'card',
        customer,
        created: account.now(customer ?? undefined),
      });
      Object.assign(setup, { status: 'succeeded', payment_method: card.id });
      account.emit('payment_method.attached', card, customer ?? undefined);
      account.emit('setup_intent.succeeded', setup, customer ?? undefined);
      return setup;
    },
  };
}

const toggle = z.strictObject({ enabled: bool });
const features = z.strictObject({
  invoice_history: optional(toggle),
  payment_method_update: optional(toggle),
  subscription_cancel: optional(
    z.strictObject({ enabled: bool, mode: z.enum(['at_period_end', 'immediately']) }),
  ),
});

/** Creates the routes of the customer portal. */
export const createPortalRoutes = (account: Account): Route[] => [
  route(
    'POST',
    '/v1/billing_portal/configurations',
    { features, metadata: optional(metadata) },
    ({ features, metadata = {} }) =>
      account.save('billing_portal.configuration', {
        id: createId('bpc'),
        object: 'billing_portal.configuration',
        created: account.now(),
        active: true,
        metadata,
        // What is not requested is off.
        features: { subscription_update: { enabled: false }, ...features },
      }),
  ),
  route('POST', '/v1/billing_portal/configurations/:id', { active: bool }, ({ active }, id) =>
    Object.assign(account.get('billing_portal.configuration', id), { active }),
  ),
  route(
    'GET',
    '/v1/billing_portal/configurations',
    { ...page, active: optional(bool) },
    ({ active, ...pagination }) =>
      paginate(account, 'billing_portal.configuration', (each) => isMatch(active, each.active), pagination),
  ),
  route(
    'POST',
    '/v1/billing_portal/sessions',
    { customer: text, configuration: optional(text), return_url: z.url() },
    ({ customer, configuration, return_url }) => {
      account.requireParam('customer', customer, 'customer');
      if (!configuration) {
        throw invalidRequest(
          'No configuration provided and your default configuration has not been created in live mode.',
        );
      }
      const { active } = account.requireParam('billing_portal.configuration', configuration, 'configuration');
      if (!active) throw invalidRequest('This configuration is not active.');
      const id = createId('bps');
      return account.save('billing_portal.session', {
        id,
        object: 'billing_portal.session',
        created: account.now(),
        configuration,
        customer,
        return_url,
        url: `https://billing.stripe.com/p/session/${id}`,
      });
    },
  ),
];
