import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { mockIdentity } from '#testing/identity.ts';
import { mockConfig } from '#testing/server.ts';
import { startSession } from './session.ts';
import { useSessionState } from './store.ts';
import { loadGuestCredentials } from './tokens.ts';

const MINUTE_MS = 60_000;

beforeEach(() => useSessionState.setState({ state: { status: 'starting' } }));

it('[AUTH-12] a guest gets an identity id and credentials, cached for 50 minutes', async () => {
  mockConfig({ guestAccess: true, identityPoolId: 'local:12345678-1234-1234-1234-123456789012' });
  const requests = mockIdentity();
  const { setTimeout } = globalThis;
  vi.stubGlobal('setTimeout', (run: () => void, delay: number) =>
    setTimeout(run, delay === 10_000 ? 0 : delay),
  );
  onTestFinished(startSession(() => undefined));
  const operations = () => requests.map(({ operation }) => operation);
  await waitFor(() => expect(operations()).toEqual(['GetId', 'GetCredentialsForIdentity']));
  expect(requests[1]?.body).toEqual({ IdentityId: 'local:guest-1' });
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 49 * MINUTE_MS });
  await loadGuestCredentials();
  expect(requests).toHaveLength(2);
  vi.setSystemTime(now + 51 * MINUTE_MS);
  await loadGuestCredentials();
  expect(operations().slice(2)).toEqual(['GetCredentialsForIdentity']);
});
