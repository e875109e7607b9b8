import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { server } from './server.ts';
import './jsdom-polyfills.ts';

// Generous for a busy machine; passing tests do not wait for it.
configure({ asyncUtilTimeout: 20_000 });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
// Not in afterEach: requests that a test has left in flight still get their mocked response.
beforeEach(() => server.resetHandlers());
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(() => server.close());
