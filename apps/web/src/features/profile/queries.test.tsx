import { api } from '@escucho/contracts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { getUser, startSession } from '#features/session/session.ts';
import { useToasts } from '#shared/ui/toast.tsx';
import {
  activeSubscription,
  ana,
  bea,
  emptySettings,
  mockSignedInUser,
  storeInOtherTab,
} from '#testing/app.tsx';
import { createDeferred } from '#testing/deferred.ts';
import { mockConfig, mockEndpoint } from '#testing/server.ts';
import { settingsQuery, useSettings } from './queries.ts';

it('a change that is saved after another user has signed in is ignored', async () => {
  mockConfig();
  mockSignedInUser();
  onTestFinished(startSession(() => undefined));
  mockEndpoint(api.settings.findSettings, { user: ana, settings: emptySettings });
  const { promise, resolve } = createDeferred();
  const saved = { user: { ...ana, firstName: 'Mar' }, settings: { ...emptySettings, firstName: 'Mar' } };
  mockEndpoint(api.settings.changeSettings, saved, promise);
  const client = new QueryClient();
  await client.query(settingsQuery);
  const { result } = renderHook(useSettings, {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await act(async () => {
    const saving = result.current.save({ firstName: 'Mar' });
    storeInOtherTab({ user: bea, subscription: activeSubscription });
    client.setQueryData(settingsQuery.queryKey, { user: bea, settings: emptySettings });
    resolve();
    await saving;
  });
  expect(getUser()).toEqual(bea);
  expect(client.getQueryData(settingsQuery.queryKey)?.user).toEqual(bea);
  // Its Undo would change the settings of the other user.
  expect(useToasts.getState().toasts).toEqual([]);
});
