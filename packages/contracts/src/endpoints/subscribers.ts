import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { cardSetup, paymentResult, receipt, subscriptionManagement } from '../entities/plan.ts';
import { singleLineText } from '../fields.ts';

// Below the billing provider's address, not below /api; the bearer is its secret key, so that only servers may ask.
const params = z.object({ appUserId: singleLineText(100) });

/** What a subscriber manages. */
export const findManagement = endpoint({
  method: 'GET',
  path: '/v1/subscribers/:appUserId/management',
  summary: 'The subscription that runs, and what is for sale',
  access: 'user',
  params,
  response: subscriptionManagement,
  errors: [],
});

export const cancel = endpoint({
  method: 'POST',
  path: '/v1/subscribers/:appUserId/management/cancel',
  summary: 'Renews no more',
  access: 'user',
  params,
  response: subscriptionManagement,
  errors: ['not_found', 'conflict'],
});

export const resume = endpoint({
  method: 'POST',
  path: '/v1/subscribers/:appUserId/management/resume',
  summary: 'Takes a cancellation back',
  access: 'user',
  params,
  response: subscriptionManagement,
  errors: ['not_found', 'conflict'],
});

export const choosePlan = endpoint({
  method: 'PUT',
  path: '/v1/subscribers/:appUserId/management/plan',
  summary: 'Chooses the plan from the next renewal on',
  access: 'user',
  params,
  body: z.object({ product: singleLineText(100) }),
  response: subscriptionManagement,
  errors: ['not_found', 'conflict'],
});

/** Looks whether a renewal that could not be paid is by now, else charges again. */
export const pay = endpoint({
  method: 'POST',
  path: '/v1/subscribers/:appUserId/management/payment',
  summary: 'Pays what could not be renewed',
  access: 'user',
  params,
  response: paymentResult,
  errors: ['not_found', 'unavailable'],
});

export const createCardSetup = endpoint({
  method: 'POST',
  path: '/v1/subscribers/:appUserId/management/card',
  summary: 'A form for another card',
  access: 'user',
  params,
  response: cardSetup,
  errors: ['not_found', 'unavailable'],
});

/** In: the form's name, once it is filled in. What could not be renewed is paid by the card at once. */
export const replaceCard = endpoint({
  method: 'PUT',
  path: '/v1/subscribers/:appUserId/management/card',
  summary: 'Charges the card of that form from now on',
  access: 'user',
  params,
  body: z.object({ setup: singleLineText(200) }),
  response: paymentResult,
  errors: ['not_found', 'conflict', 'unavailable'],
});

export const findReceipts = endpoint({
  method: 'GET',
  path: '/v1/subscribers/:appUserId/receipts',
  summary: 'What the subscriber paid, newest first, the last hundred',
  access: 'user',
  params,
  response: z.object({ docs: z.array(receipt) }),
  errors: [],
});

/** As RevenueCat's: what is left of a payment. In: its receipt's id. All of the newest ends the subscription. */
export const refund = endpoint({
  method: 'POST',
  path: '/v1/subscribers/:appUserId/transactions/:receipt/refund',
  summary: 'Gives a payment back',
  access: 'user',
  params: z.object({ appUserId: singleLineText(100), receipt: singleLineText(200) }),
  response: subscriptionManagement,
  errors: ['not_found', 'unavailable'],
});

/** As RevenueCat's. Ours ends renewals first; what was paid stays in the ledger, under no name. Twice is once. */
export const deleteSubscriber = endpoint({
  method: 'DELETE',
  path: '/v1/subscribers/:appUserId',
  summary: 'Forgets a subscriber',
  access: 'user',
  params,
  response: z.object({ app_user_id: z.string(), deleted: z.boolean() }),
  errors: [],
});
