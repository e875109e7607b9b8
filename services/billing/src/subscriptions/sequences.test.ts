import { billingApi } from '@escucho/contracts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { verifySubscriptions } from '../admin.ts';
import { DAY } from '../testing/provider.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';
import { subscription } from './events.ts';
import { willRenew } from './policy.ts';

// The number of random sequences; `SEQUENCES=10000` for a long run.
const RUNS = Number(process.env.SEQUENCES ?? 60);
// Sequences that run concurrently, each with its own provider and Stripe account.
const ACCOUNTS = 4;
const { cancel, resume, choosePlan, pay } = billingApi;

/** Creates an action of a random sequence. */
const act = <const Name extends string, Fields extends object>(
  weight: number,
  action: Name,
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
) => ({ weight, arbitrary: fc.record(fields).map((values) => ({ action, ...values })) });

// `ref` selects one of the user's events or payments.
const arbitraryAction = fc.oneof(
  act(6, 'send', { ref: fc.nat(200), times: fc.integer({ min: 1, max: 3 }) }),
  act(2, 'forge', { ref: fc.nat(200), method: fc.nat(2) }),
  act(3, 'wait', { days: fc.integer({ min: 1, max: 45 }), isDaily: fc.boolean() }),
  // Advances the clock to the end of the period at Stripe and some minutes further.
  act(3, 'period-end', { minutes: fc.nat(90) }),
  act(2, 'cards', { decline: fc.constantFrom('', 'card_declined', 'authentication_required') }),
  act(2, 'pay', { confirms: fc.boolean() }),
  act(2, 'dispute', {
    ref: fc.nat(9),
    status: fc.constantFrom('needs_response', 'under_review', 'won', 'lost', 'warning_needs_response'),
  }),
  act(4, 'manage', { choice: fc.nat(3) }),
  act(3, 'portal', { choice: fc.nat(7) }),
  act(2, 'buy', { trial: fc.boolean() }),
  act(1, 'break', { calls: fc.nat(4) }),
  act(1, 'refund', { ref: fc.nat(9), share: fc.integer({ min: 1, max: 3 }), isHere: fc.boolean() }),
);
type Action = typeof arbitraryAction extends fc.Arbitrary<infer Each> ? Each : never;

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
const pauses = ['keep_as_draft', 'mark_uncollectible', 'void'] as const;
const activeStatuses = ['active', 'trialing', 'past_due'];

/** Starts a provider with its own Stripe account. */
async function startAccount() {
  const stripe = await startStripeProvider();
  const { provider, client, behavior, events, listSubscriptions, listInvoices, listPayments } = stripe;
  const { callApi, db } = provider;

  /** Runs one sequence of actions for a new user, then compares both sides. */
  async function runUser(actions: readonly Action[]) {
    const user = provider.newUser();
    let customer = '';
    let decline = '';
    // The sum of the paid invoices when the user last cancelled; undefined while the subscription renews.
    let paidWhenCancelled: number | undefined;
    const listPaidInvoices = () => listInvoices(customer).filter(({ status }) => status === 'paid');
    const sumPaidInvoices = () => sum(listPaidInvoices().map(({ amount_paid: amount }) => Number(amount)));
    const listPaidPayments = () => listPayments(customer).filter(({ status }) => status === 'succeeded');
    const findDispute = (payment: string) =>
      stripe.list('dispute').find(({ payment_intent: about }) => about === payment);
    const listRefunds = (payment: string) =>
      stripe.list('refund').filter(({ payment_intent: about }) => about === payment);
    const listEvents = () => events.filter((each) => each.customer === customer);
    const findActive = () =>
      listSubscriptions(customer).find(({ status }) => activeStatuses.includes(String(status)));
    const manage = (target: typeof cancel | typeof resume | typeof choosePlan | typeof pay, body?: object) =>
      callApi(target, user, body);

    async function buy(trial: boolean) {
      const { data } = await stripe.subscribe(user, trial ? { offer_id: 'trial' } : {});
      if (!data) return;
      const setup = stripe.completeSetup(data.client_secret);
      customer = String(setup.customer);
      stripe.trackCustomer(user, customer);
      behavior.declines.set(customer, decline);
      paidWhenCancelled = undefined;
      await stripe.sendEvent('setup_intent.succeeded', setup);
    }

    /** Changes the subscription on Stripe's own pages. */
    async function actAtStripe(choice: number) {
      // A period that begins with the present one would end with it, too.
      if (choice === 4) await stripe.advanceClock(user, 3600);
      const subscription = findActive();
      if (!subscription) return;
      paidWhenCancelled = undefined;
      const pause = pauses[choice - 5];
      const open = listInvoices(customer).find(({ status }) => status === 'open');
      if (choice === 2 && open) await client.invoices.voidInvoice(open.id).catch(() => undefined);
      else if (choice === 3) await client.subscriptions.cancel(subscription.id);
      else if (choice === 4 && subscription.status === 'active' && !subscription.cancel_at)
        await client.subscriptions.update(subscription.id, {
          billing_cycle_anchor: { type: 'now' },
          proration_behavior: 'none',
        });
      else if (pause)
        await client.subscriptions.update(subscription.id, {
          pause_collection: subscription.pause_collection ? '' : { behavior: pause },
        });
      else if (!subscription.schedule)
        await client.subscriptions.update(subscription.id, { cancel_at_period_end: choice === 0 });
    }

    /** Refunds what is left of a payment here, or a share of it in Stripe's dashboard. */
    async function refundPayment(payment: string, share: number, isHere: boolean) {
      const amount = listPaidPayments().find(({ id }) => id === payment)?.amount;
      const left = Number(amount) - sum(listRefunds(payment).map((each) => Number(each.amount)));
      if (left === 0) return;
      if (!isHere) {
        await client.refunds.create({ payment_intent: payment, amount: Math.ceil((left * share) / 3) });
        return;
      }
      const entry = await db
        .selectFrom('subscription_event')
        .select(sql<string>`data ->> 'key'`.as('receipt'))
        .where('kind', '=', 'paid')
        .where(sql`data ->> 'reference'`, '=', payment)
        .executeTakeFirst();
      if (!entry) return;
      await provider.refund(user, entry.receipt);
    }

    for (const each of actions) {
      const all = listEvents();
      const sent = all[('ref' in each ? each.ref : 0) % Math.max(1, all.length)];
      const payment =
        listPaidPayments()[('ref' in each ? each.ref : 0) % Math.max(1, listPaidPayments().length)];
      switch (each.action) {
        case 'buy':
          await buy(each.trial);
          break;
        case 'send':
          if (sent)
            await Promise.all(
              Array.from({ length: each.times }, () => stripe.sendEvent(sent.type, sent.object)),
            );
          break;
        case 'forge': {
          const at = provider.clock();
          const event = stripe.createEvent(
            sent?.type ?? 'invoice.paid',
            sent?.object ?? {},
            at,
            each.method === 0 ? 'whsec_forged' : undefined,
          );
          const payload =
            each.method === 1
              ? event.payload.slice(0, -3)
              : each.method === 2
                ? event.payload.replace('evt_', 'evil_')
                : event.payload;
          expect((await stripe.sendEvent('', {}, { ...event, payload })).statusCode).toBe(400);
          break;
        }
        case 'wait':
          await stripe.advanceClock(user, each.days * DAY, each.isDaily ? DAY : each.days * DAY);
          break;
        case 'period-end': {
          const { items } = JSON.parse(JSON.stringify(findActive() ?? { items: { data: [] } }));
          const end = Number(items.data[0]?.current_period_end ?? 0) + each.minutes * 60;
          const left = Math.floor(end - stripe.getUserTime(user).getTime() / 1000);
          if (left > 0) await stripe.advanceClock(user, left);
          break;
        }
        case 'cards':
          decline = each.decline;
          behavior.declines.set(customer, decline);
          break;
        case 'break':
          behavior.serverErrors = each.calls;
          break;
        case 'manage': {
          const product = each.choice === 2 ? 'escucho_yearly' : 'escucho_monthly';
          const target = [cancel, resume][each.choice] ?? choosePlan;
          const { status } = await manage(target, target === choosePlan ? { product } : undefined);
          if (target === cancel && status === 200) paidWhenCancelled = sumPaidInvoices();
          if (target === resume) paidWhenCancelled = undefined;
          break;
        }
        case 'portal':
          behavior.serverErrors = 0;
          await actAtStripe(each.choice);
          break;
        case 'pay': {
          const secret = (await manage(pay)).body.confirmation?.clientSecret;
          const unconfirmed = listPayments(customer).find(({ client_secret }) => client_secret === secret);
          if (unconfirmed && each.confirms) stripe.completePayment(unconfirmed.id);
          break;
        }
        case 'dispute': {
          const known = payment && findDispute(payment.id)?.status;
          if (!payment || listRefunds(payment.id).length > 0 || known === 'won' || known === 'lost') break;
          stripe.dispute(payment.id, each.status);
          break;
        }
        case 'refund': {
          if (!payment || findDispute(payment.id)) break;
          behavior.serverErrors = 0;
          await refundPayment(payment.id, each.share, each.isHere);
          break;
        }
      }
      if (paidWhenCancelled !== undefined) expect(sumPaidInvoices()).toBe(paidWhenCancelled);
    }
    // Stripe sends lost events again, and locks expire.
    behavior.serverErrors = 0;
    provider.time.now += 10_000;
    await stripe.advanceClock(user, 1);
    for (const { type, object } of listEvents()) await stripe.sendEvent(type, object);

    const docs: { paid: { amount: number }; refunded: number }[] = await provider.listReceipts(user);
    expect(docs.map((doc) => doc.paid.amount).toSorted()).toEqual(
      listPaidInvoices()
        .map(({ amount_paid: amount }) => Number(amount))
        .filter((amount) => amount > 0)
        .toSorted(),
    );
    const lost = listPaidPayments().filter(({ id }) => findDispute(id)?.status === 'lost');
    const refunds = listPaidPayments().flatMap(({ id }) => listRefunds(id));
    expect(sum(docs.map((doc) => doc.refunded))).toBe(
      sum([...lost, ...refunds].map(({ amount }) => Number(amount))),
    );
    await expectSameState(user, customer);
    stripe.removeCustomers(new Set([customer]));
  }

  /** Expects that the same subscriptions are active here and at Stripe, until the same time. */
  async function expectSameState(user: string, customer: string) {
    const rows = await db
      .selectFrom('subscription')
      .innerJoin('subscriber', 'subscriber.id', 'subscription.subscriberId')
      .select('state')
      .where('appUserId', '=', user)
      .execute();
    const open = rows.map(({ state }) => subscription.parse(state)).filter(({ endedAt }) => !endedAt);
    for (const ours of open.filter(willRenew)) {
      const { status } = stripe.find(String(ours.gatewaySubscription)) ?? { status: 'gone' };
      expect(activeStatuses, `${ours.gatewaySubscription} is active only here`).toContain(status);
    }
    for (const each of listSubscriptions(customer).filter(({ status }) =>
      activeStatuses.includes(String(status)),
    )) {
      const ours = open.find(({ gatewaySubscription }) => gatewaySubscription === each.id);
      expect(ours, `${each.id} is active only at Stripe`).toBeDefined();
      expect(ours?.unsubscribedAt !== null).toBe(each.cancel_at_period_end);
      const { items, latest_invoice: latest } = JSON.parse(JSON.stringify(each));
      // Where its invoice is voided, Stripe goes on with a period that nobody has paid, and that gives no access here.
      const isVoid = stripe.find(latest)?.status === 'void';
      if (each.status !== 'past_due' && !isVoid && !ours?.charge && !ours?.billingIssueAt)
        expect(Number(ours?.expiresAt) / 1000).toBe(items.data[0].current_period_end);
    }
  }

  return { runUser, provider };
}

const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, startAccount));

it(
  `[RCB-02] ${RUNS} random sequences with repeated, late and forged events match Stripe`,
  async () => {
    const options = { numRuns: Math.ceil(RUNS / ACCOUNTS), endOnFailure: true };
    await Promise.all(
      accounts.map(({ runUser }) => {
        const property = fc.asyncProperty(
          fc.array(arbitraryAction, { minLength: 4, maxLength: 14 }),
          (actions) => runUser([{ action: 'buy', trial: false }, ...actions]),
        );
        return fc.assert(property, options);
      }),
    );
    for (const { provider } of accounts) {
      const { subscriptions, differing } = await verifySubscriptions(provider.connection);
      expect(differing).toEqual([]);
      expect(subscriptions).toBeGreaterThan(RUNS / ACCOUNTS / 4);
    }
  },
  // Long enough for a busy machine.
  Math.max(300_000, RUNS * 500),
);
