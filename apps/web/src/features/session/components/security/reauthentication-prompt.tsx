import { Suspense } from 'react';
import { lazyComponent } from '#shared/lazy.ts';
import { useReauthenticationRequest } from '../../reauthentication.ts';

const ReauthenticationDialog = lazyComponent(
  async () => (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
  'auth',
  'security',
  'settings',
);

/** Shows the dialog “Confirm it is you” while an action waits for it. */
export function ReauthenticationPrompt() {
  const request = useReauthenticationRequest(({ request }) => request);
  return (
    request && (
      <Suspense fallback={null}>
        <ReauthenticationDialog onConfirmed={request.confirm} onCancel={request.cancel} />
      </Suspense>
    )
  );
}
