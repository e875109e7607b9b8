import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { prerender } from 'react-dom/static';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
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
afterAll(async () => {
  server.close();
  for (const name of document.documentElement.getAttributeNames())
    document.documentElement.removeAttribute(name);
  document.head.replaceChildren();
  document.body.replaceChildren();
  history.replaceState(null, '', '/');
  // Responses that the boot script has requested for the app.
  delete window.__early;
  // Rendering on a server leaves the values of contexts in React, until something without contexts is rendered.
  await prerender(null);
  // Files of one process share the libraries; the app's modules, with their state, are each file's own.
  await vi.dynamicImportSettled();
  vi.resetModules();
});
