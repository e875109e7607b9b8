import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { customerInfoQuery } from '../queries.ts';
import { useSubscription } from '../store.ts';

interface Props {
  userId: string;
  /** Asks the portal anew what the subscription allows. */
  refresh: () => Promise<unknown>;
}

/** Asks the billing provider every 30 minutes (SUB-03); where it knows otherwise than the portal said, the portal is asked again. */
export function SubscriptionWatch({ userId, refresh }: Props) {
  const { data: info } = useQuery(customerInfoQuery(userId));
  const subscription = useSubscription();
  const compare = useEffectEvent((isEntitled: boolean) => {
    if (isEntitled !== subscription?.isActive) void refresh();
  });
  useEffect(() => {
    if (info) compare(Object.keys(info.entitlements.active).length > 0);
  }, [info]);
  return null;
}
