import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import {
  cardSetup,
  completedCardSetup,
  paymentResult,
  receipt,
  subscriptionManagement,
} from '../entities/plan.ts';
import { singleLineText } from '../fields.ts';

// Below the billing provider's address, not below /api; the bearer is its secret key, so that only servers may ask.
const common = {
  rateLimit: 'none',
  params: z.object({ appUserId: singleLineText(100) }),
} as const;

/** What a subscriber manages. */
export const findManagement = endpoint({
  ...common,
  method: 'GET',
  path: '/v1/subscribers/:appUserId/management',
  summary: 'The active subscription and the plans for sale',
  response: subscriptionManagement,
});

export const cancel = endpoint({
  ...common,
  method: 'POST',
  path: '/v1/subscribers/:appUserId/management/cancel',
  summary: 'Turns renewal off',
  response: subscriptionManagement,
  errors: ['not_found', 'conflict'],
});

export const resume = endpoint({
  ...common,
  method: 'POST',
  path: '/v1/subscribers/:appUserId/management/resume',
  summary: 'Undoes a cancellation',
  response: subscriptionManagement,
  errors: ['not_found', 'conflict'],
});

export const choosePlan = endpoint({
  ...common,
  method: 'PUT',
  path: '/v1/subscribers/:appUserId/management/plan',
  summary: 'Chooses the plan that applies from the next renewal',
  body: z.object({ product: singleLineText(100) }),
  response: subscriptionManagement,
  errors: ['not_found', 'conflict'],
});

/** Checks whether an unpaid renewal was paid by now, else charges again. */
export const pay = endpoint({
  ...common,
  method: 'POST',
  path: '/v1/subscribers/:appUserId/management/payment',
  summary: 'Pays an unpaid renewal',
  response: paymentResult,
  errors: ['not_found', 'unavailable'],
});

export const createCardSetup = endpoint({
  ...common,
  method: 'POST',
  path: '/v1/subscribers/:appUserId/management/card',
  summary: 'Creates a form for another card',
  response: cardSetup,
  errors: ['not_found', 'unavailable'],
});

/** Takes the id of a completed card form. An unpaid renewal is charged to the new card at once. */
export const replaceCard = endpoint({
  ...common,
  method: 'PUT',
  path: '/v1/subscribers/:appUserId/management/card',
  summary: 'Replaces the card',
  body: completedCardSetup,
  response: paymentResult,
  errors: ['not_found', 'conflict', 'unavailable'],
});

/** A page sends the token with the purchase of this user. It is valid for five minutes. RevenueCat has no such endpoint. */
export const createPurchaseToken = endpoint({
  ...common,
  method: 'POST',
  path: '/v1/subscribers/:appUserId/purchase-tokens',
  summary: 'Creates a token with which the subscriber may buy',
  response: z.object({ token: z.string() }),
});

export const findReceipts = endpoint({
  ...common,
  method: 'GET',
  path: '/v1/subscribers/:appUserId/receipts',
  summary: 'Receipts, newest first, at most 100',
  response: z.object({ docs: z.array(receipt) }),
});

/**
 * Refunds the rest of a payment, like RevenueCat's endpoint. A full refund of the newest payment ends the subscription.
 * `conflict` while the payment is disputed.
 */
export const refund = endpoint({
  ...common,
  method: 'POST',
  path: '/v1/subscribers/:appUserId/transactions/:receipt/refund',
  summary: 'Refunds a payment',
  params: z.object({ appUserId: singleLineText(100), receipt: singleLineText(200) }),
  response: subscriptionManagement,
  errors: ['not_found', 'conflict', 'unavailable'],
});

/** Deletes a subscriber, like RevenueCat's endpoint. Cancels renewals first; payments stay in the ledger without a name. Idempotent. */
export const deleteSubscriber = endpoint({
  ...common,
  method: 'DELETE',
  path: '/v1/subscribers/:appUserId',
  summary: 'Deletes a subscriber',
  response: z.object({ app_user_id: z.string(), deleted: z.boolean() }),
});
