import { type Account, idOf, type Kinds, type Metadata } from './account.ts';
import { missing, missingParameter } from './refusal.ts';
import type { Subscriptions } from './subscriptions.ts';

interface CustomerFields {
  email?: string | undefined;
  name?: string | undefined;
  metadata?: Metadata | undefined;
  preferred_locales?: string[] | undefined;
  invoice_settings?: { default_payment_method?: string | undefined } | undefined;
}

/** Who pays, with which cards, and the forms that set cards up. */
export function customersOf(account: Account, subscriptions: Subscriptions) {
  function changed(customer: Kinds['customer'], fields: CustomerFields): Kinds['customer'] {
    const { invoice_settings: settings, metadata, ...plain } = fields;
    const card = settings?.default_payment_method;
    if (card) {
      const param = 'invoice_settings[default_payment_method]';
      if (account.named('payment_method', card, param).customer !== customer.id)
        throw missingParameter('payment_method', param, card);
    }
    Object.assign(customer, plain);
    Object.assign(customer.metadata, metadata);
    if (card !== undefined) customer.invoice_settings.default_payment_method = card || null;
    return customer;
  }

  return {
    create(fields: CustomerFields): Kinds['customer'] {
      const customer = account.keep('customer', {
        ...{ id: idOf('cus'), object: 'customer', created: account.now(), email: null, name: null },
        ...{ metadata: {}, livemode: true, preferred_locales: [], delinquent: false },
        invoice_settings: { default_payment_method: null },
      });
      return changed(customer, fields);
    },

    update(id: string, fields: CustomerFields): Kinds['customer'] {
      const customer = changed(account.get('customer', id), fields);
      account.tell('customer.updated', customer, id);
      return customer;
    },

    /** As Stripe answers it of one that is gone, too. */
    retrieve(id: string): object {
      return account.deleted.has(id)
        ? { id, object: 'customer', deleted: true }
        : account.get('customer', id);
    },

    /** Forgets a customer, with the cards; what was subscribed to ends at once. */
    remove(id: string): object {
      if (!account.find('customer', id)) throw missing('customer', id);
      subscriptions.endAll(id);
      for (const card of account.list('payment_method')) if (card.customer === id) card.customer = null;
      account.kept.customer.delete(id);
      account.deleted.add(id);
      return { id, object: 'customer', deleted: true };
    },

    setUp(fields: {
      customer?: string | undefined;
      usage?: string | undefined;
      metadata?: Metadata | undefined;
    }) {
      const { customer = null, usage = 'off_session', metadata = {} } = fields;
      if (customer) account.named('customer', customer, 'customer');
      const id = idOf('seti');
      return account.keep('setup_intent', {
        ...{ id, object: 'setup_intent', created: account.now(customer ?? undefined), customer, usage },
        ...{ client_secret: `${id}_secret`, status: 'requires_payment_method', payment_method: null },
        ...{ metadata, livemode: true, last_setup_error: null },
      });
    },

    /** Somebody fills a card form in. In: its secret. Out: the set-up, with the card attached to its customer. */
    fillIn(clientSecret: string): Kinds['setup_intent'] {
      const setup = account.list('setup_intent').find((each) => each.client_secret === clientSecret);
      if (!setup) throw new Error('There is no such set-up');
      const { customer } = setup;
      const card = account.keep('payment_method', {
        ...{ id: idOf('pm'), object: 'payment_method', type: 'card', livemode: true, metadata: {}, customer },
        created: account.now(customer ?? undefined),
        card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
      });
      Object.assign(setup, { status: 'succeeded', payment_method: card.id });
      account.tell('payment_method.attached', card, customer ?? undefined);
      account.tell('setup_intent.succeeded', setup, customer ?? undefined);
      return setup;
    },
  };
}
export type Customers = ReturnType<typeof customersOf>;
