import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import {
  cardSetup,
  completedCardSetup,
  paymentResult,
  receipt,
  subscriptionManagement,
} from '../entities/plan.ts';
import { subscription } from '../entities/user.ts';
import { singleLineText } from '../fields.ts';

const response = z.object({ ...subscriptionManagement.shape, subscription });
const paid = z.object({ ...paymentResult.shape, subscription });

/** Queries the billing provider, so that a payment that has just succeeded is included. */
export const findSubscription = endpoint({
  method: 'GET',
  path: '/subscription',
  summary: 'The user’s subscription and the plans for sale',
  rateLimit: 'subscription',
  response,
  errors: ['unavailable'],
});

/** Access continues until the paid period ends. */
export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/subscription/cancel',
  summary: 'Turns renewal off',
  rateLimit: 'payment',
  response,
  errors: ['not_found', 'conflict', 'unavailable'],
});

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/subscription/resume',
  summary: 'Undoes a cancellation before the period ends',
  rateLimit: 'payment',
  response,
  errors: ['not_found', 'conflict', 'unavailable'],
});

/** Choosing the current product undoes an earlier choice. */
export const changePlan = endpoint({
  method: 'PUT',
  path: '/subscription/plan',
  summary: 'Chooses the plan that applies from the next renewal',
  rateLimit: 'payment',
  body: z.object({ product: singleLineText(100) }),
  response,
  errors: ['not_found', 'conflict', 'unavailable'],
});

/** Checks whether an unpaid renewal was paid by now, else charges again; `confirmation` is what the bank requests. */
export const payRenewal = endpoint({
  method: 'POST',
  path: '/subscription/payment',
  summary: 'Pays an unpaid renewal',
  rateLimit: 'payment',
  response: paid,
  errors: ['not_found', 'unavailable'],
});

export const createCardSetup = endpoint({
  method: 'POST',
  path: '/subscription/card',
  summary: 'Creates a form for another card',
  rateLimit: 'payment',
  response: cardSetup,
  errors: ['not_found', 'unavailable'],
});

/** Call it once the form is complete. An unpaid renewal is charged to the new card at once. */
export const replaceCard = endpoint({
  method: 'PUT',
  path: '/subscription/card',
  summary: 'Replaces the card',
  rateLimit: 'payment',
  body: completedCardSetup,
  response: paid,
  errors: ['not_found', 'conflict', 'unavailable'],
});

/** Request it right before a purchase: it is valid for five minutes. Null where the billing provider requires none. */
export const createPurchaseToken = endpoint({
  method: 'POST',
  path: '/subscription/purchase-token',
  summary: 'Creates a token with which the user may buy at the billing provider',
  rateLimit: 'subscription',
  response: z.object({ token: z.nullable(z.string()) }),
  errors: ['not_found', 'unavailable'],
});

export const findReceipts = endpoint({
  method: 'GET',
  path: '/subscription/receipts',
  summary: 'Receipts, newest first, at most 100',
  rateLimit: 'subscription',
  response: z.object({ docs: z.array(receipt) }),
  errors: ['unavailable'],
});
