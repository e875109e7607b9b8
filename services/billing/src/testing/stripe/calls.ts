import type { Account } from './account.ts';
import type { Call } from './calls/call.ts';
import { customerCalls } from './calls/customers.ts';
import { invoiceCalls } from './calls/invoices.ts';
import { paymentCalls } from './calls/payments.ts';
import { portalCalls } from './calls/portal.ts';
import { priceCalls } from './calls/prices.ts';
import { scheduleCalls } from './calls/schedules.ts';
import { subscriptionCalls } from './calls/subscriptions.ts';
import type { Customers } from './customers.ts';
import type { Invoices } from './invoices.ts';
import type { Payments } from './payments.ts';
import type { Portal } from './portal.ts';
import type { Prices } from './prices.ts';
import type { Schedules } from './schedules.ts';
import type { Subscriptions } from './subscriptions.ts';

interface Parts {
  account: Account;
  customers: Customers;
  invoices: Invoices;
  payments: Payments;
  portal: Portal;
  prices: Prices;
  schedules: Schedules;
  subscriptions: Subscriptions;
}

/** Every call that the stand-in speaks. What a call takes is all of Stripe's parameters that mean something here. */
export const callsOf = (parts: Parts): Call[] => [
  ...customerCalls(parts),
  ...priceCalls(parts),
  ...subscriptionCalls(parts),
  ...scheduleCalls(parts),
  ...invoiceCalls(parts),
  ...paymentCalls(parts),
  ...portalCalls(parts),
];
