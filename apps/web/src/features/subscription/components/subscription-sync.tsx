import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useSession } from '#features/session/session.ts';
import { customerInfoQuery } from '../queries.ts';
import { refreshSubscriptionStatus } from '../subscription.ts';

/** Polls the billing provider every 30 minutes (SUB-03), and refreshes the portal's data where the provider's differ. */
export function SubscriptionSync({ userId }: { userId: string }) {
  const { data: info } = useQuery(customerInfoQuery(userId));
  const { subscription } = useSession();
  const compare = useEffectEvent((isEntitled: boolean) => {
    if (isEntitled !== subscription?.isActive) void refreshSubscriptionStatus();
  });
  useEffect(() => {
    if (info) compare(Object.keys(info.entitlements.active).length > 0);
  }, [info]);
  return null;
}
