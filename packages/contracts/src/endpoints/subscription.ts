import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { cardSetup, paymentResult, receipt, subscriptionManagement } from '../entities/plan.ts';
import { subscription } from '../entities/user.ts';
import { singleLineText } from '../fields.ts';

const response = z.object({ ...subscriptionManagement.shape, subscription });
const paid = z.object({ ...paymentResult.shape, subscription });

/** Asks the billing provider, so the answer is as new as a payment that has just succeeded. */
export const findSubscription = endpoint({
  method: 'GET',
  path: '/subscription',
  summary: 'The reader’s subscription as its owner manages it',
  access: 'user',
  response,
  errors: ['unavailable'],
});

/** What is paid stays until the period ends. */
export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/subscription/cancel',
  summary: 'Renews no more',
  access: 'user',
  response,
  errors: ['not_found', 'conflict', 'unavailable'],
});

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/subscription/resume',
  summary: 'Takes a cancellation back, as long as the period runs',
  access: 'user',
  response,
  errors: ['not_found', 'conflict', 'unavailable'],
});

/** The current plan's product takes an earlier choice back. */
export const changePlan = endpoint({
  method: 'PUT',
  path: '/subscription/plan',
  summary: 'Chooses the plan from the next renewal on',
  access: 'user',
  body: z.object({ product: singleLineText(100) }),
  response,
  errors: ['not_found', 'conflict', 'unavailable'],
});

/** Looks whether a renewal that could not be paid is by now, else charges again; `confirmation`: what the bank asks. */
export const payRenewal = endpoint({
  method: 'POST',
  path: '/subscription/payment',
  summary: 'Pays what could not be renewed',
  access: 'user',
  response: paid,
  errors: ['not_found', 'unavailable'],
});

export const createCardSetup = endpoint({
  method: 'POST',
  path: '/subscription/card',
  summary: 'A form for another card',
  access: 'user',
  response: cardSetup,
  errors: ['not_found', 'unavailable'],
});

/** Once the form is filled in. What could not be renewed is paid by the card at once. */
export const replaceCard = endpoint({
  method: 'PUT',
  path: '/subscription/card',
  summary: 'Charges the card of that form from now on',
  access: 'user',
  body: z.object({ setup: singleLineText(200) }),
  response: paid,
  errors: ['not_found', 'conflict', 'unavailable'],
});

export const findReceipts = endpoint({
  method: 'GET',
  path: '/subscription/receipts',
  summary: 'What the reader paid, newest first, the last hundred',
  access: 'user',
  response: z.object({ docs: z.array(receipt) }),
  errors: ['unavailable'],
});
