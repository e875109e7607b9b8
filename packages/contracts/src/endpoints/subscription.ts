import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { management, receipt } from '../entities/plan.ts';
import { subscription } from '../entities/user.ts';
import { line } from '../fields.ts';

const response = z.object({ ...management.shape, subscription });

/** Asks the billing provider, so the answer is as new as a payment that has just succeeded. */
export const findSubscription = endpoint({
  method: 'GET',
  path: '/subscription',
  summary: 'The reader’s subscription as its owner manages it',
  access: 'reader',
  response,
  errors: ['unavailable'],
});

/** What is paid stays until the period ends. */
export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/subscription/cancel',
  summary: 'Renews no more',
  access: 'reader',
  response,
  errors: ['not_found', 'conflict', 'unavailable'],
});

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/subscription/resume',
  summary: 'Takes a cancellation back, as long as the period runs',
  access: 'reader',
  response,
  errors: ['not_found', 'conflict', 'unavailable'],
});

/** The current plan's product takes an earlier choice back. */
export const changePlan = endpoint({
  method: 'PUT',
  path: '/subscription/plan',
  summary: 'Chooses the plan from the next renewal on',
  access: 'reader',
  body: z.object({ product: line(100) }),
  response,
  errors: ['not_found', 'conflict', 'unavailable'],
});

export const findReceipts = endpoint({
  method: 'GET',
  path: '/subscription/receipts',
  summary: 'What the reader paid, newest first, the last hundred',
  access: 'reader',
  response: z.object({ docs: z.array(receipt) }),
  errors: ['unavailable'],
});
