import type { Platform } from '@escucho/contracts';
import { Suspense } from 'react';
import { closeSubscribe, useAsked } from '#features/subscription/subscription.ts';
import { lazyComponent } from '#shared/lazy.ts';

const EndedDialog = lazyComponent(
  async () => (await import('#features/operators/components/ended-dialog.tsx')).EndedDialog,
  'operators',
);

/** Where a reader of our own would be asked to subscribe, an operator's is led to the operator (SUB-02). */
export function OperatorHost({ platform }: { platform: Platform }) {
  const asked = useAsked();
  return <Suspense>{asked && <EndedDialog platform={platform} onClose={closeSubscribe} />}</Suspense>;
}
