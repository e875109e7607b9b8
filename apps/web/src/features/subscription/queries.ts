import { api } from '@escucho/contracts';
import {
  type CustomerInfo,
  customerInfoAge,
  customerInfoRetry,
  isWorthRetry,
  offeringsRetry,
} from '@escucho/purchases';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { openBilling } from './billing.ts';
import { type Plan, plansOf } from './model/plans.ts';

/** Everything about billing stands under this key. */
export const billingKey = ['billing'] as const;

const retrying = (rule: typeof offeringsRetry) => ({
  retry: (failures: number, error: unknown) => isWorthRetry(rule, failures + 1, error),
  retryDelay: (failures: number) => rule.delay(failures + 1),
});

/** The billing provider for a reader; null where nothing is sold. */
export const billingQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'provider'],
    queryFn: () => openBilling(userId),
    staleTime: Number.POSITIVE_INFINITY,
  });

const providerOf = (client: QueryClient, userId: string) => client.ensureQueryData(billingQuery(userId));

/** The plans a reader can choose from, in their order (SUB-01); three more tries (SUB-03). */
export const plansQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'plans'],
    queryFn: async ({ client, signal }): Promise<readonly Plan[]> => {
      const billing = await providerOf(client, userId);
      return billing ? plansOf((await billing.offerings(signal)).current) : [];
    },
    ...retrying(offeringsRetry),
  });

/** What the provider knows of a reader; fetched anew every 30 minutes, three more tries (SUB-03). Null where nothing is sold. */
export const customerInfoQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'customer'],
    queryFn: async ({ client, signal }): Promise<CustomerInfo | null> => {
      const billing = await providerOf(client, userId);
      return billing ? billing.customerInfo(signal) : null;
    },
    refetchInterval: customerInfoAge,
    ...retrying(customerInfoRetry),
  });

/** The reader's subscription as its owner manages it (SUB-07). */
export const managementQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'management'],
    queryFn: ({ signal }) => call(api.subscription.findSubscription, {}, { signal }),
  });

/** What the reader paid, newest first. */
export const receiptsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'receipts'],
    queryFn: async ({ signal }) => (await call(api.subscription.findReceipts, {}, { signal })).docs,
  });
