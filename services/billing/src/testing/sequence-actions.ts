import fc from 'fast-check';

/** An action of a random sequence; `ref` selects one of the user's events or payments. */
export const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      action: fc.constant('send' as const),
      ref: fc.nat(200),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ action: fc.constant('forge' as const), ref: fc.nat(200), method: fc.nat(2) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      action: fc.constant('wait' as const),
      days: fc.integer({ min: 1, max: 45 }),
      isDaily: fc.boolean(),
    }),
  },
  // Advances the clock to the end of the period at Stripe and some minutes further.
  { weight: 3, arbitrary: fc.record({ action: fc.constant('period-end' as const), minutes: fc.nat(90) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      action: fc.constant('cards' as const),
      decline: fc.constantFrom('', 'card_declined', 'authentication_required'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('pay' as const), confirms: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      action: fc.constant('dispute' as const),
      ref: fc.nat(9),
      status: fc.constantFrom('needs_response', 'under_review', 'won', 'lost', 'warning_needs_response'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ action: fc.constant('manage' as const), choice: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('portal' as const), choice: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('buy' as const), trial: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('break' as const), calls: fc.nat(4) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      action: fc.constant('refund' as const),
      ref: fc.nat(9),
      share: fc.integer({ min: 1, max: 3 }),
      isHere: fc.boolean(),
    }),
  },
);
export type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never;
