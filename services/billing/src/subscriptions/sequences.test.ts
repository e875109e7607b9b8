import { addressOf, billingApi } from '@escucho/contracts';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { billingAdmin } from '../admin.ts';
import { DAY, keys, startProvider } from '../testing/provider.ts';
import { startStripe } from '../testing/stripe.ts';

// How many are tried; `SEQUENCES=10000` for a long night.
const RUNS = Number(process.env.SEQUENCES ?? 60);

const stripe = await startStripe();
const provider = await startProvider({ stripe: stripe.options });
const { send, post, newUser, purchaseOf, clock, connection, db } = provider;
const admin = billingAdmin({ connection });
afterAll(() => admin.close());
const { cancel, resume, choosePlan, findReceipts, pay } = billingApi.subscribers;
// Lives that go on beside each other: what one waits for, another uses.
const LANES = 4;

const deed = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('tell' as const),
      which: fc.nat(40),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('forge' as const), which: fc.nat(40), how: fc.nat(2) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 45 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('cards' as const),
      decline: fc.constantFrom('', 'card_declined', 'authentication_required'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('pay' as const), confirms: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('dispute' as const),
      which: fc.nat(9),
      status: fc.constantFrom('needs_response', 'under_review', 'won', 'lost'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('manage' as const), what: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('buy' as const), trial: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('refund' as const),
      which: fc.nat(9),
      part: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

type Deed = typeof deed extends fc.Arbitrary<infer Each> ? Each : never;

const tell = (payload: string, signature: string) =>
  provider.app.inject({
    method: 'POST',
    url: '/billing/stripe/events',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    payload,
  });

/** One reader's life at Stripe: what happened there, and what can be told of it. */
async function live(deeds: readonly Deed[]) {
  const user = newUser();
  const customers = new Set<string>();
  const payments = () =>
    stripe.all('payment_intent').filter(({ customer }) => customers.has(String(customer)));
  const refunds = new Map<string, number>();
  let decline = '';
  const disputes = () => payments().flatMap(({ id }) => stripe.find(`dp_${id}`) ?? []);
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  const manage = (target: typeof cancel | typeof resume | typeof choosePlan | typeof pay, body?: object) =>
    send(target.method, addressOf(target, { params: { appUserId: user } }), body, keys.secret);

  /** Everything that Stripe could tell now, the past included. */
  const news = () => [
    ...stripe
      .all('setup_intent')
      .filter(({ customer }) => customers.has(String(customer)))
      .map((each) => ['setup_intent.succeeded', each] as const),
    ...payments().map(
      (each) =>
        [
          each.status === 'succeeded' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed',
          each,
        ] as const,
    ),
    ...disputes().map((each) => ['charge.dispute.updated', each] as const),
    ...payments().flatMap((each) => {
      const amount = refunds.get(each.id);
      const charge = {
        object: 'charge',
        payment_intent: each.id,
        metadata: each.metadata,
        amount_refunded: amount,
      };
      return amount ? [['charge.refunded', charge] as const] : [];
    }),
  ];

  for (const each of deeds) {
    const all = news();
    const paid = payments().filter(({ status }) => status === 'succeeded');
    const [type, about] = all[('which' in each ? each.which : 0) % Math.max(1, all.length)] ?? [
      'invoice.paid',
      {},
    ];
    switch (each.does) {
      case 'buy': {
        const offer = each.trial ? { offer_id: 'trial' } : {};
        const { status, body } = await post(
          '/rcbilling/v1/subscribe',
          purchaseOf(user, offer),
          keys.production,
        );
        if (status === 200) customers.add(String(stripe.confirm(body.data.client_secret).customer));
        for (const customer of customers) stripe.conduct.declines.set(customer, decline);
        break;
      }
      case 'tell': {
        const { payload, signature } = stripe.eventOf(type, about, clock());
        await Promise.all(Array.from({ length: each.times }, () => tell(payload, signature)));
        break;
      }
      case 'forge': {
        const { payload, signature } = stripe.eventOf(
          type,
          about,
          clock(),
          each.how === 0 ? 'whsec_forged' : undefined,
        );
        const sent =
          each.how === 1 ? payload.slice(0, -3) : each.how === 2 ? payload.replace('evt_', 'evil_') : payload;
        expect((await tell(sent, signature)).statusCode).toBe(400);
        break;
      }
      case 'wait':
        await post('/sandbox/advance', { app_user_id: user, seconds: each.days * DAY });
        break;
      case 'cards':
        decline = each.decline;
        for (const customer of customers) stripe.conduct.declines.set(customer, decline);
        break;
      case 'manage':
        if (each.what === 0) await manage(cancel);
        else if (each.what === 1) await manage(resume);
        else await manage(choosePlan, { product: each.what === 2 ? 'escucho_yearly' : 'escucho_monthly' });
        break;
      case 'pay': {
        const secret = (await manage(pay)).body.confirmation?.clientSecret;
        const payment = payments().find(({ client_secret }) => client_secret === secret);
        if (payment && each.confirms) stripe.change(payment.id, { status: 'succeeded' });
        break;
      }
      case 'dispute': {
        const payment = paid[each.which % Math.max(1, paid.length)];
        const known = payment && stripe.find(`dp_${payment.id}`);
        if (!payment || refunds.has(payment.id) || known?.status === 'won' || known?.status === 'lost') break;
        const about = { object: 'dispute', payment_intent: payment.id, amount: payment.amount };
        stripe.keep({ id: `dp_${payment.id}`, ...about, status: each.status });
        break;
      }
      case 'refund': {
        const payment = paid[each.which % Math.max(1, paid.length)];
        if (!payment || stripe.find(`dp_${payment.id}`)) break;
        const inAll = Math.max(
          refunds.get(payment.id) ?? 0,
          Math.floor((Number(payment.amount) * each.part) / 3),
        );
        refunds.set(payment.id, inAll);
        break;
      }
    }
  }
  // Whatever was lost on the way is told once more, as Stripe does.
  for (const [type, about] of news()) {
    const { payload, signature } = stripe.eventOf(type, about, clock());
    await tell(payload, signature);
  }
  const taken = payments().filter(({ status }) => status === 'succeeded');
  const { docs } = (
    await send('GET', addressOf(findReceipts, { params: { appUserId: user } }), undefined, keys.secret)
  ).body;
  expect(sum(docs.map((doc: { paid: { amount: number } }) => doc.paid.amount))).toBe(
    sum(taken.map(({ amount }) => Number(amount))),
  );
  const lost = disputes().flatMap(({ status, amount }) => (status === 'lost' ? [Number(amount)] : []));
  expect(sum(docs.map((doc: { refunded: number }) => doc.refunded))).toBe(
    sum([...refunds.values(), ...lost]),
  );
  const keysOfCharges = taken.map(({ metadata }) => JSON.stringify(metadata));
  expect(new Set(keysOfCharges).size).toBe(taken.length);
  stripe.forget(customers);
}

it(
  `[RCB-02] events that come twice, late, in any order, forged or cut: ${RUNS} lives, each as its ledger says`,
  async () => {
    const lives = fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 14 }), (deeds) =>
      live([{ does: 'buy', trial: false }, ...deeds]),
    );
    const lane = { numRuns: Math.ceil(RUNS / LANES), endOnFailure: true };
    await Promise.all(Array.from({ length: LANES }, () => fc.assert(lives, lane)));
    const { subscriptions, differing } = await admin.verify();
    expect(differing).toEqual([]);
    expect(subscriptions).toBeGreaterThan(RUNS / 4);
  },
  Math.max(60_000, RUNS * 500),
);

it('[RCB-02] the ledger takes nothing back', async () => {
  await expect(db.updateTable('ledger').set({ kind: 'x' }).execute()).rejects.toThrow('only added to');
  await expect(db.deleteFrom('ledger').execute()).rejects.toThrow('only added to');
});

it('[RCB-02] a row that somebody changed is found out', async () => {
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
