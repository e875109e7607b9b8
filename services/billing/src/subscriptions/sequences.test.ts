import { billingApi, buildPath } from '@escucho/contracts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createBillingAdmin } from '../admin.ts';
import { DAY, keys } from '../testing/provider.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';
import { subscription } from './events.ts';
import { willRenew } from './policy.ts';

// How many are tried; `SEQUENCES=10000` for a long night.
const RUNS = Number(process.env.SEQUENCES ?? 60);
// Lives that go on beside each other, each at a provider and an account at Stripe of its own.
const LANES = 4;
const { cancel, resume, choosePlan, findReceipts, refund, pay } = billingApi.subscribers;

const deed = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('tell' as const),
      ref: fc.nat(200),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('forge' as const), ref: fc.nat(200), how: fc.nat(2) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      days: fc.integer({ min: 1, max: 45 }),
      isDaily: fc.boolean(),
    }),
  },
  // To when a period ends at Stripe, and so many minutes further.
  { weight: 3, arbitrary: fc.record({ does: fc.constant('brink' as const), minutes: fc.nat(90) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('cards' as const),
      decline: fc.constantFrom('', 'card_declined', 'authentication_required'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('pay' as const), confirms: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('dispute' as const),
      ref: fc.nat(9),
      status: fc.constantFrom('needs_response', 'under_review', 'won', 'lost', 'warning_needs_response'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('manage' as const), what: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('portal' as const), what: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('buy' as const), trial: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('break' as const), calls: fc.nat(4) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('refund' as const),
      ref: fc.nat(9),
      part: fc.integer({ min: 1, max: 3 }),
      isHere: fc.boolean(),
    }),
  },
);
type Deed = typeof deed extends fc.Arbitrary<infer Each> ? Each : never;

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
const runs = ['active', 'trialing', 'past_due'];

/** A place where lives are lived. */
async function openLane() {
  const stripe = await startStripeProvider();
  const { provider, client, behavior, events, listSubscriptions, listInvoices, listPayments } = stripe;
  const { send, db } = provider;
  const admin = createBillingAdmin({ connection: provider.connection });
  afterAll(() => admin.close());

  /** One reader's life at Stripe: what happened there, and what can be told of it. */
  async function live(deeds: readonly Deed[]) {
    const user = provider.newUser();
    let customer = '';
    let decline = '';
    // What was taken when the reader's last word was that nothing more is to be.
    let stoppedAt: number | undefined;
    const taken = () => listInvoices(customer).filter(({ status }) => status === 'paid');
    const takenInAll = () => sum(taken().map(({ amount_paid: amount }) => Number(amount)));
    const paid = () => listPayments(customer).filter(({ status }) => status === 'succeeded');
    const disputeOf = (payment: string) =>
      stripe.list('dispute').find(({ payment_intent: about }) => about === payment);
    const refundsOf = (payment: string) =>
      stripe.list('refund').filter(({ payment_intent: about }) => about === payment);
    const notification = () => events.filter((each) => each.customer === customer);
    const running = () => listSubscriptions(customer).find(({ status }) => runs.includes(String(status)));
    const manage = (target: typeof cancel | typeof resume | typeof choosePlan | typeof pay, body?: object) =>
      send(target.method, buildPath(target, { params: { appUserId: user } }), body, keys.secret);

    async function buy(trial: boolean) {
      const { data } = await stripe.subscribe(user, trial ? { offer_id: 'trial' } : {});
      if (!data) return;
      const setup = stripe.completeSetup(data.client_secret);
      customer = String(setup.customer);
      stripe.trackCustomer(user, customer);
      behavior.declines.set(customer, decline);
      stoppedAt = undefined;
      await stripe.sendEvent('setup_intent.succeeded', setup);
    }

    /** What somebody does at Stripe's own pages. */
    async function atStripe(what: number) {
      const subscription = running();
      if (!subscription) return;
      stoppedAt = undefined;
      const open = listInvoices(customer).find(({ status }) => status === 'open');
      if (what === 2 && open) await client.invoices.voidInvoice(open.id).catch(() => undefined);
      else if (what === 3) await client.subscriptions.cancel(subscription.id);
      else if (!subscription.schedule)
        await client.subscriptions.update(subscription.id, { cancel_at_period_end: what === 0 });
    }

    /** Gives back what is left of a payment, by us, or a part of it in Stripe's dashboard. */
    async function giveBack(payment: string, part: number, isHere: boolean) {
      const amount = paid().find(({ id }) => id === payment)?.amount;
      const left = Number(amount) - sum(refundsOf(payment).map((each) => Number(each.amount)));
      if (left === 0) return;
      if (!isHere) {
        await client.refunds.create({ payment_intent: payment, amount: Math.ceil((left * part) / 3) });
        return;
      }
      const entry = await db
        .selectFrom('subscription_event')
        .select(sql<string>`data ->> 'key'`.as('receipt'))
        .where('kind', '=', 'paid')
        .where(sql`data ->> 'reference'`, '=', payment)
        .executeTakeFirst();
      if (!entry) return;
      const address = buildPath(refund, { params: { appUserId: user, receipt: entry.receipt } });
      await send(refund.method, address, undefined, keys.secret);
    }

    const receipts = async () =>
      (await send('GET', buildPath(findReceipts, { params: { appUserId: user } }), undefined, keys.secret))
        .body.docs;

    for (const each of deeds) {
      const all = notification();
      const told = all[('ref' in each ? each.ref : 0) % Math.max(1, all.length)];
      const payment = paid()[('ref' in each ? each.ref : 0) % Math.max(1, paid().length)];
      switch (each.does) {
        case 'buy':
          await buy(each.trial);
          break;
        case 'tell':
          if (told)
            await Promise.all(
              Array.from({ length: each.times }, () => stripe.sendEvent(told.type, told.object)),
            );
          break;
        case 'forge': {
          const at = provider.clock();
          const event = stripe.createEvent(
            told?.type ?? 'invoice.paid',
            told?.object ?? {},
            at,
            each.how === 0 ? 'whsec_forged' : undefined,
          );
          const payload =
            each.how === 1
              ? event.payload.slice(0, -3)
              : each.how === 2
                ? event.payload.replace('evt_', 'evil_')
                : event.payload;
          expect((await stripe.sendEvent('', {}, { ...event, payload })).statusCode).toBe(400);
          break;
        }
        case 'wait':
          await stripe.advanceClock(user, each.days * DAY, each.isDaily ? DAY : each.days * DAY);
          break;
        case 'brink': {
          const { items } = JSON.parse(JSON.stringify(running() ?? { items: { data: [] } }));
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
          const product = each.what === 2 ? 'escucho_yearly' : 'escucho_monthly';
          const target = [cancel, resume][each.what] ?? choosePlan;
          const { status } = await manage(target, target === choosePlan ? { product } : undefined);
          if (target === cancel && status === 200) stoppedAt = takenInAll();
          if (target === resume) stoppedAt = undefined;
          break;
        }
        case 'portal':
          behavior.serverErrors = 0;
          await atStripe(each.what);
          break;
        case 'pay': {
          const secret = (await manage(pay)).body.confirmation?.clientSecret;
          const callStripe = listPayments(customer).find(({ client_secret }) => client_secret === secret);
          if (callStripe && each.confirms) stripe.completePayment(callStripe.id);
          break;
        }
        case 'dispute': {
          const known = payment && disputeOf(payment.id)?.status;
          if (!payment || refundsOf(payment.id).length > 0 || known === 'won' || known === 'lost') break;
          stripe.dispute(payment.id, each.status);
          break;
        }
        case 'refund': {
          if (!payment || disputeOf(payment.id)) break;
          behavior.serverErrors = 0;
          await giveBack(payment.id, each.part, each.isHere);
          break;
        }
      }
      if (stoppedAt !== undefined) expect(takenInAll()).toBe(stoppedAt);
    }
    // Whatever was lost on the way is told once more, as Stripe does; whoever held something has let it go.
    behavior.serverErrors = 0;
    provider.time.now += 10_000;
    await stripe.advanceClock(user, 1);
    for (const { type, object } of notification()) await stripe.sendEvent(type, object);

    const docs: { paid: { amount: number }; refunded: number }[] = await receipts();
    expect(docs.map((doc) => doc.paid.amount).toSorted()).toEqual(
      taken()
        .map(({ amount_paid: amount }) => Number(amount))
        .filter((amount) => amount > 0)
        .toSorted(),
    );
    const lost = paid().filter(({ id }) => disputeOf(id)?.status === 'lost');
    const givenBack = paid().flatMap(({ id }) => refundsOf(id));
    expect(sum(docs.map((doc) => doc.refunded))).toBe(
      sum([...lost, ...givenBack].map(({ amount }) => Number(amount))),
    );
    await expectSame(user, customer);
    stripe.removeCustomers(new Set([customer]));
  }

  /** What goes on at Stripe goes on here, until the same moment, and the other way round. */
  async function expectSame(user: string, customer: string) {
    const rows = await db
      .selectFrom('subscription')
      .innerJoin('subscriber', 'subscriber.id', 'subscription.subscriber_id')
      .select('state')
      .where('app_user_id', '=', user)
      .execute();
    const open = rows.map(({ state }) => subscription.parse(state)).filter(({ endedAt }) => !endedAt);
    for (const ours of open.filter(willRenew)) {
      const { status } = stripe.find(String(ours.gatewaySubscription)) ?? { status: 'gone' };
      expect(runs, `${ours.gatewaySubscription} goes on here alone`).toContain(status);
    }
    for (const each of listSubscriptions(customer).filter(({ status }) => runs.includes(String(status)))) {
      const ours = open.find(({ gatewaySubscription }) => gatewaySubscription === each.id);
      expect(ours, `${each.id} goes on at Stripe alone`).toBeDefined();
      expect(ours?.unsubscribedAt !== null).toBe(each.cancel_at_period_end);
      const { items } = JSON.parse(JSON.stringify(each));
      if (each.status !== 'past_due' && !ours?.charge && !ours?.billingIssueAt)
        expect(Number(ours?.expiresAt) / 1000).toBe(items.data[0].current_period_end);
    }
  }

  return { live, admin, provider };
}

const lanes = await Promise.all(Array.from({ length: LANES }, openLane));
const [first] = lanes;
if (!first) throw new Error('There is no lane');
const { admin } = first;
const { db } = first.provider;

it(
  `[RCB-02] ${RUNS} random lives with repeated, late and forged events match Stripe`,
  async () => {
    const lane = { numRuns: Math.ceil(RUNS / LANES), endOnFailure: true };
    await Promise.all(
      lanes.map(({ live }) => {
        const lives = fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 14 }), (deeds) =>
          live([{ does: 'buy', trial: false }, ...deeds]),
        );
        return fc.assert(lives, lane);
      }),
    );
    for (const { admin } of lanes) {
      const { subscriptions, differing } = await admin.verify();
      expect(differing).toEqual([]);
      expect(subscriptions).toBeGreaterThan(RUNS / LANES / 4);
    }
  },
  // However long the machine takes.
  Math.max(300_000, RUNS * 500),
);

it('[RCB-02] subscription events are append-only', async () => {
  await expect(db.updateTable('subscription_event').set({ kind: 'x' }).execute()).rejects.toThrow(
    'append-only',
  );
  await expect(db.deleteFrom('subscription_event').execute()).rejects.toThrow('append-only');
});

it('[RCB-02] verification reports a changed row', async () => {
  const row = await db.selectFrom('subscription').select(['id', 'state']).executeTakeFirstOrThrow();
  const change = (state: object) =>
    db
      .updateTable('subscription')
      .set({ state: JSON.stringify(state) })
      .where('id', '=', row.id)
      .execute();
  await change({ ...row.state, renewals: 99 });
  expect((await admin.verify()).differing).toMatchObject([{ id: row.id }]);
  await change(row.state);
});
