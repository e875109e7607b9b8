import type { Platform } from '@escucho/contracts';
import { Suspense } from 'react';
import { closeSubscribeModal, useSubscribeRequest } from '#features/subscription/subscription.ts';
import { lazyComponent } from '#shared/lazy.ts';

const SubscriptionEndedDialog = lazyComponent(
  async () =>
    (await import('#features/operators/components/subscription-ended-dialog.tsx')).SubscriptionEndedDialog,
  'operators',
);

/** Shows operators' users the way to their operator in place of the subscribe modal (SUB-02). */
export function OperatorHost({ platform }: { platform: Platform }) {
  const request = useSubscribeRequest();
  return (
    <Suspense>
      {request && <SubscriptionEndedDialog platform={platform} onClose={closeSubscribeModal} />}
    </Suspense>
  );
}
