import { describe, expect, it } from 'vitest';
import { PurchasesError, type PurchasesErrorCode } from '../errors.ts';
import {
  type PurchaseEffect,
  type PurchaseEvent,
  type PurchaseFailure,
  type PurchaseState,
  toFailureError,
  toPurchaseFailure,
  transition,
} from './machine.ts';
import { toOperationFailure, toStartFailure } from './runner.ts';

const card = { clientSecret: 'secret', publishableKey: 'key', accountId: 'account' };
const failure = toPurchaseFailure('network');
const email = 'ana@example.org';

const states = {
  'present-offer': { at: 'present-offer' },
  'needs-auth-info': { at: 'needs-auth-info', email: null },
  'processing-auth-info': { at: 'processing-auth-info', email },
  loading: { at: 'loading', email },
  'needs-payment-info': { at: 'needs-payment-info', email, session: 's', card },
  'polling-purchase-status': { at: 'polling-purchase-status', email, session: 's', card },
  success: { at: 'success' },
  error: { at: 'error', failure },
} as const satisfies Record<PurchaseState['at'], PurchaseState>;

const events = {
  'presented with an e-mail': { type: 'presented', email },
  'presented without an e-mail': { type: 'presented', email: null },
  'presented with an empty e-mail': { type: 'presented', email: ' ' },
  'e-mail submitted': { type: 'email-submitted', email: ` ${email} ` },
  'empty e-mail submitted': { type: 'email-submitted', email: ' ' },
  'e-mail change requested': { type: 'email-change-requested' },
  'started, card needed': { type: 'started', purchase: { session: 's', card } },
  'started, completed': { type: 'started', purchase: { session: 's', card: null } },
  'card confirmed': { type: 'card-confirmed' },
  succeeded: { type: 'succeeded' },
  failed: { type: 'failed', failure },
  'e-mail refused': { type: 'failed', failure: toPurchaseFailure('missing-email') },
  continued: { type: 'continued' },
  closed: { type: 'closed' },
} as const satisfies Record<string, PurchaseEvent>;

type At = PurchaseState['at'];
type Changes = Record<At, Partial<Record<keyof typeof events, [At, ...PurchaseEffect['type'][]]>>>;

/** Every transition. An event that is not listed changes nothing and has no effect. */
const changes: Changes = {
  'present-offer': {
    'presented with an e-mail': ['loading', 'subscribe'],
    'presented without an e-mail': ['needs-auth-info'],
    'presented with an empty e-mail': ['error'],
    failed: ['error'],
    'e-mail refused': ['error'],
    continued: ['present-offer', 'finish'],
    closed: ['present-offer', 'finish'],
  },
  'needs-auth-info': {
    'e-mail submitted': ['processing-auth-info', 'subscribe'],
    'empty e-mail submitted': ['error'],
    failed: ['error'],
    'e-mail refused': ['error'],
    continued: ['needs-auth-info', 'finish'],
    closed: ['needs-auth-info', 'finish'],
  },
  'processing-auth-info': {
    'started, card needed': ['needs-payment-info'],
    'started, completed': ['success'],
    failed: ['error'],
    'e-mail refused': ['error'],
    continued: ['processing-auth-info', 'finish'],
    closed: ['processing-auth-info', 'finish'],
  },
  loading: {
    'started, card needed': ['needs-payment-info'],
    'started, completed': ['success'],
    failed: ['error'],
    'e-mail refused': ['needs-auth-info'],
    continued: ['loading', 'finish'],
    closed: ['loading', 'finish'],
  },
  'needs-payment-info': {
    'e-mail change requested': ['needs-auth-info'],
    'card confirmed': ['polling-purchase-status', 'poll'],
    failed: ['error'],
    'e-mail refused': ['error'],
    continued: ['needs-payment-info', 'finish'],
    closed: ['needs-payment-info', 'finish'],
  },
  'polling-purchase-status': { succeeded: ['success'], failed: ['error'], 'e-mail refused': ['error'] },
  success: { continued: ['success', 'finish'], closed: ['success', 'finish'] },
  error: { continued: ['error', 'finish'], closed: ['error', 'finish'] },
};

const names = Object.keys(states) as At[];
const eventNames = Object.keys(events) as (keyof typeof events)[];

describe('[BUY-02] the purchase widget: every event in every state', () => {
  it.each(names.flatMap((at) => eventNames.map((name) => [at, name] as const)))('%s: %s', (at, name) => {
    const { state, effects } = transition(states[at], events[name]);
    const [to, ...done] = changes[at][name] ?? [at];
    expect([state.at, effects.map(({ type }) => type)]).toEqual([to, done]);
    if (to === at) expect(state).toBe(states[at]);
  });
});

describe('the data of a step', () => {
  it('starts the purchase with the trimmed e-mail', () => {
    const { effects } = transition(states['needs-auth-info'], events['e-mail submitted']);
    expect(effects).toEqual([{ type: 'subscribe', email }]);
  });

  it('an empty e-mail ends in the missing e-mail error', () => {
    const { state } = transition(states['needs-auth-info'], events['empty e-mail submitted']);
    expect(state).toEqual({ at: 'error', failure: toPurchaseFailure('missing-email') });
  });

  it.each([
    ['needs-payment-info', 'e-mail change requested'],
    ['loading', 'e-mail refused'],
  ] as const)('[BUY-02] %s, %s: the form has the former e-mail', (at, name) => {
    expect(transition(states[at], events[name]).state).toEqual({ at: 'needs-auth-info', email });
  });

  it('card, session and e-mail are carried over from the form to the polling', () => {
    const form = transition(states.loading, events['started, card needed']).state;
    expect(form).toEqual(states['needs-payment-info']);
    const { state, effects } = transition(form, events['card confirmed']);
    expect(state).toEqual(states['polling-purchase-status']);
    expect(effects).toEqual([{ type: 'poll', session: 's' }]);
  });

  it.each([
    ['success', 'continued', null],
    ['success', 'closed', null],
    [
      'error',
      'continued',
      new PurchasesError('NetworkError', 'Network error. Please check your internet connection.'),
    ],
    ['needs-auth-info', 'closed', new PurchasesError('UserCancelledError', 'Purchase was cancelled.')],
    ['needs-payment-info', 'closed', new PurchasesError('UserCancelledError', 'Purchase was cancelled.')],
    ['loading', 'continued', new PurchasesError('UnknownError', 'Unknown error without state set.')],
  ] as const)('[BUY-07] [SUB-06] %s, %s: finishes with %s', (at, name, error) => {
    expect(transition(states[at], events[name]).effects).toEqual([{ type: 'finish', error }]);
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
    expect(toStartFailure(new PurchasesError(code)).kind).toBe(kind);
  });

  it('a purchase refused for its e-mail: missing-email', () => {
    const error = new PurchasesError('UnknownBackendError', 'The email address is not valid.', {
      backendCode: 7012,
    });
    expect(toStartFailure(error).kind).toBe('missing-email');
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
    ['setting-up', 'StoreProblemError', 'Purchase not started due to an error.'],
    ['charging', 'PaymentPendingError', 'Payment failed.'],
    ['unknown', 'UnknownError', 'An unknown error occurred.'],
    ['network', 'NetworkError', 'Network error. Please check your internet connection.'],
    ['payment-provider', 'StoreProblemError', 'Payment failed.'],
    ['missing-email', 'PurchaseInvalidError', 'Email is required to complete the purchase.'],
    ['already-subscribed', 'ProductAlreadyPurchasedError', 'You are already subscribed to this product.'],
  ] as const satisfies [PurchaseFailure['kind'], PurchasesErrorCode, string][])(
    'the failure %s is returned as %s: %s',
    (kind, code, message) => {
      expect(toFailureError(toPurchaseFailure(kind))).toMatchObject({ code, message });
      expect(toFailureError(toPurchaseFailure(kind, 'Declined.'))).toMatchObject({
        code,
        message: 'Declined.',
      });
    },
  );
});
