import { api } from '@escucho/contracts';
import {
  CUSTOMER_INFO_MAX_AGE_MS,
  type CustomerInfo,
  customerInfoRetry,
  type Offering,
  offeringsRetry,
  type Package,
} from '@escucho/purchases';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { openBilling } from './billing.ts';

/** The prefix of all query keys about billing. */
export const billingKey = ['billing'] as const;

/** The billing provider for a user; null where billing is not configured. */
export const billingQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'provider'],
    queryFn: () => openBilling(userId),
    staleTime: Number.POSITIVE_INFINITY,
  });

const ensureBilling = (client: QueryClient, userId: string) =>
  client.query({ ...billingQuery(userId), staleTime: 'static' });

/** A plan on offer (section 9). */
export interface PlanOption {
  id: 'yearly' | 'sixMonth' | 'monthly';
  pack: Package;
  /** Per cent saved against the monthly plan; null to show none. */
  saves: number | null;
}

const planOrder = [
  { id: 'yearly', type: 'annual', saves: 30 },
  { id: 'sixMonth', type: 'six month', saves: 16 },
  { id: 'monthly', type: 'monthly', saves: null },
] as const;

const toPlanOptions = (offering: Offering | null): readonly PlanOption[] =>
  planOrder.flatMap(({ id, type, saves }) => {
    const pack = offering?.packages.find((each) => each.type === type);
    return pack ? [{ id, pack, saves }] : [];
  });

/** The plans that a user can buy: yearly, six-month, monthly (SUB-01); retried three times (SUB-03). */
export const plansQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'plans'],
    queryFn: async ({ client, signal }): Promise<readonly PlanOption[]> => {
      const billing = await ensureBilling(client, userId);
      return billing ? toPlanOptions((await billing.offerings(signal)).current) : [];
    },
    ...offeringsRetry,
  });

/**
 * The provider's data of a user, fetched again every 30 minutes and retried three times (SUB-03); null where billing is
 * not configured.
 */
export const customerInfoQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'customer'],
    queryFn: async ({ client, signal }): Promise<CustomerInfo | null> => {
      const billing = await ensureBilling(client, userId);
      return billing ? billing.customerInfo(signal) : null;
    },
    refetchInterval: CUSTOMER_INFO_MAX_AGE_MS,
    ...customerInfoRetry,
  });

/** The request for the subscription as its owner manages it. */
export const managementRequest = () => [api.subscription.findSubscription, {}] as const;

/** The subscription as its owner manages it (SUB-07). */
export const managementQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'management'],
    queryFn: ({ signal }) => call(...managementRequest(), { signal }),
  });

/** The user's payments, newest first. */
export const receiptsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...billingKey, userId, 'receipts'],
    queryFn: async ({ signal }) => (await call(api.subscription.findReceipts, {}, { signal })).docs,
  });
