import { describe, expect, it } from 'vitest';
import {
  errorCodeByFailure,
  type PurchaseFailure,
  toOperationFailure,
  toPurchaseFailure,
  toStartFailure,
} from './failure.ts';
import { nextPurchase, type PurchaseEffect, type PurchaseEvent, type PurchaseState } from './machine.ts';

const card = { clientSecret: 'secret', publishableKey: 'key', accountId: 'account' };
const failure = toPurchaseFailure('network');

const states = {
  'present-offer': { at: 'present-offer' },
  'needs-auth-info': { at: 'needs-auth-info' },
  'processing-auth-info': { at: 'processing-auth-info' },
  loading: { at: 'loading' },
  'needs-payment-info': { at: 'needs-payment-info', session: 's', card },
  'polling-purchase-status': { at: 'polling-purchase-status', session: 's', card },
  success: { at: 'success' },
  error: { at: 'error', failure },
} as const satisfies Record<PurchaseState['at'], PurchaseState>;

const events = {
  'presented, e-mail known': { type: 'presented', email: 'ana@example.org' },
  'presented, e-mail not known': { type: 'presented', email: null },
  'presented, e-mail empty': { type: 'presented', email: ' ' },
  'e-mail given': { type: 'email-given', email: ' ana@example.org ' },
  'e-mail given, empty': { type: 'email-given', email: ' ' },
  'started, card needed': { type: 'started', purchase: { session: 's', card } },
  'started, completed': { type: 'started', purchase: { session: 's', card: null } },
  'card confirmed': { type: 'card-confirmed' },
  succeeded: { type: 'succeeded' },
  failed: { type: 'failed', failure },
  continued: { type: 'continued' },
  closed: { type: 'closed' },
} as const satisfies Record<string, PurchaseEvent>;

type At = PurchaseState['at'];
type Changes = Record<At, Partial<Record<keyof typeof events, [At, ...PurchaseEffect['type'][]]>>>;

/** Every change there is. What is not here changes nothing and does nothing. */
const changes: Changes = {
  'present-offer': {
    'presented, e-mail known': ['loading', 'subscribe'],
    'presented, e-mail not known': ['needs-auth-info'],
    'presented, e-mail empty': ['error'],
    failed: ['error'],
    closed: ['present-offer', 'finish'],
  },
  'needs-auth-info': {
    'e-mail given': ['processing-auth-info', 'subscribe'],
    'e-mail given, empty': ['error'],
    failed: ['error'],
    closed: ['needs-auth-info', 'finish'],
  },
  'processing-auth-info': {
    'started, card needed': ['needs-payment-info'],
    'started, completed': ['success'],
    failed: ['error'],
    closed: ['processing-auth-info', 'finish'],
  },
  loading: {
    'started, card needed': ['needs-payment-info'],
    'started, completed': ['success'],
    failed: ['error'],
    closed: ['loading', 'finish'],
  },
  'needs-payment-info': {
    'card confirmed': ['polling-purchase-status', 'poll'],
    failed: ['error'],
    closed: ['needs-payment-info', 'finish'],
  },
  'polling-purchase-status': { succeeded: ['success'], failed: ['error'] },
  success: { continued: ['success', 'finish'], closed: ['success', 'finish'] },
  error: { continued: ['error', 'finish'], closed: ['error', 'finish'] },
};

const names = Object.keys(states) as At[];
const happenings = Object.keys(events) as (keyof typeof events)[];

describe('[BUY-02] the purchase widget: every event in every state', () => {
  it.each(names.flatMap((at) => happenings.map((name) => [at, name] as const)))('%s: %s', (at, name) => {
    const { state, effects } = nextPurchase(states[at], events[name]);
    const [to, ...done] = changes[at][name] ?? [at];
    expect([state.at, effects.map(({ type }) => type)]).toEqual([to, done]);
    if (to === at) expect(state).toBe(states[at]);
  });
});

describe('the data of a step', () => {
  it('starts the purchase with the trimmed e-mail', () => {
    const { effects } = nextPurchase(states['needs-auth-info'], events['e-mail given']);
    expect(effects).toEqual([{ type: 'subscribe', email: 'ana@example.org' }]);
  });

  it('without an e-mail it ends in the missing e-mail error', () => {
    const { state } = nextPurchase(states['needs-auth-info'], events['e-mail given, empty']);
    expect(state).toEqual({ at: 'error', failure: toPurchaseFailure('missing-email') });
  });

  it('card and session go from the form to the polling', () => {
    const form = nextPurchase(states.loading, events['started, card needed']).state;
    expect(form).toEqual(states['needs-payment-info']);
    const { state, effects } = nextPurchase(form, events['card confirmed']);
    expect(state).toEqual(states['polling-purchase-status']);
    expect(effects).toEqual([{ type: 'poll', session: 's' }]);
  });

  it.each([
    ['success', 'continued', null],
    ['success', 'closed', null],
    ['error', 'continued', 'NetworkError'],
    ['needs-auth-info', 'closed', 'UserCancelledError'],
    ['needs-payment-info', 'closed', 'UserCancelledError'],
  ] as const)('[BUY-07] %s, %s: finishes with %s', (at, name, error) => {
    expect(nextPurchase(states[at], events[name]).effects).toEqual([{ type: 'finish', error }]);
  });
});

describe('[SUB-06] the failures of a purchase', () => {
  it.each([
    ['ProductAlreadyPurchasedError', 'already-subscribed'],
    ['NetworkError', 'network'],
    ['PurchaseInvalidError', 'setting-up'],
    ['InvalidCredentialsError', 'setting-up'],
    ['UnknownBackendError', 'setting-up'],
    ['UnexpectedBackendResponseError', 'setting-up'],
  ] as const)('a purchase refused with %s: %s', (code, kind) => {
    expect(toStartFailure(code).kind).toBe(kind);
  });

  it.each([
    [1, 'setting-up'],
    [2, 'setting-up'],
    [3, 'charging'],
    [4, 'unknown'],
    [99, 'unknown'],
    [null, 'unknown'],
  ] as const)('[BUY-04] an operation failed with %s: %s', (code, kind) => {
    expect(toOperationFailure(code).kind).toBe(kind);
  });

  it.each([
    ['setting-up', 'StoreProblemError'],
    ['charging', 'PaymentPendingError'],
    ['unknown', 'UnknownError'],
    ['network', 'NetworkError'],
    ['payment-provider', 'StoreProblemError'],
    ['missing-email', 'PurchaseInvalidError'],
    ['already-subscribed', 'ProductAlreadyPurchasedError'],
  ] as const satisfies [PurchaseFailure['kind'], string][])(
    'who asked for a purchase that ended in %s hears %s',
    (kind, code) => {
      expect(errorCodeByFailure[kind]).toBe(code);
    },
  );
});
