import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { server } from './server.ts';
import './jsdom-polyfills.ts';

// A busy machine may take its time; a passing test does not.
configure({ asyncUtilTimeout: 8000 });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
// Not after a test: what it has left under way is still answered.
beforeEach(() => server.resetHandlers());
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(() => server.close());
