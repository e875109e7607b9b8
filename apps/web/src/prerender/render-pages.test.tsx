import { createHash } from 'node:crypto';
import { api } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { hydrateRoot } from 'react-dom/client';
import { prerender } from 'react-dom/static';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from '../app/create-app.tsx';
import { useSessionState } from '../features/session/store.ts';
import { usePreferences } from '../shared/preferences.ts';
import { mockConfig, mockEndpoint } from '../testing/server.ts';
import { getCspHashes, type PrerenderedPage, renderPages } from './render-documents.tsx';

let pages: PrerenderedPage[];
beforeAll(async () => {
  // That of the build, which does not know whether it is online.
  vi.stubGlobal('navigator', { userAgent: 'Node.js/24', language: 'en', languages: ['en'] });
  pages = await renderPages();
  vi.unstubAllGlobals();
  onlineManager.setOnline(true);
  // It leaves the values of contexts in React, until something without contexts is rendered.
  await prerender(null);
});

/** Shows a prerendered page as the server sends it. */
function openDocument(page: PrerenderedPage, search = ''): HTMLElement {
  history.replaceState(null, '', page.path + search);
  const root = document.createElement('div');
  root.innerHTML = page.html;
  document.body.replaceChildren(root);
  return root;
}

/** Hydrates a document. A mismatch is an error. */
async function hydrate(root: HTMLElement, page: PrerenderedPage): Promise<void> {
  useSessionState.setState({ state: { status: 'starting' } });
  usePreferences.setState(usePreferences.getInitialState());
  mockConfig();
  mockEndpoint(api.visitors.findShowcase, { sample: null, newest: [], totalDocs: 0 });
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { app, close } = await createApp(() => undefined, page.language);
  const hydrated = await act(async () => hydrateRoot(root, app));
  onTestFinished(() => {
    hydrated.unmount();
    close();
  });
  await waitFor(() => expect(document.title).toBe(page.title));
  // React warns of its two renderers in one process, which the build and the browser do not have.
  const messages = errors.mock.calls.map((call) => call.join(' '));
  expect(messages.filter((message) => !message.includes('multiple renderers'))).toEqual([]);
}

const findPage = (path: string, language: string): PrerenderedPage => {
  const found = pages.find((page) => page.path === path && page.language === language);
  if (!found) throw new Error(`${path} is not prerendered.`);
  return found;
};

it('[SHELL-08] hydrates each page in its language without a difference', async () => {
  for (const page of pages) {
    const root = openDocument(page);
    const [heading, html] = [root.querySelector('h1')?.textContent, root.innerHTML];
    expect(html).not.toMatch(/ style=|<script/);
    // Fields have an empty one.
    expect(root.querySelectorAll('[role=alert]:not(:empty)')).toHaveLength(0);
    await hydrate(root, page);
    expect(root.querySelector('h1')?.textContent).toBe(heading);
  }
});

it('keeps what was typed before hydration, and takes the address from the query else', async () => {
  const page = findPage('/auth/sign-in', 'es');
  const root = openDocument(page, '?email=ana@example.org&returnTo=/library');
  const password = root.querySelector<HTMLInputElement>('[name=password]');
  if (password) password.value = 'Escucho2026';
  await hydrate(root, page);
  expect(screen.getByLabelText('Contraseña')).toHaveValue('Escucho2026');
  expect(screen.getByLabelText('Correo electrónico')).toHaveValue('ana@example.org');
  expect(screen.getByRole('link', { name: 'Crea una cuenta' })).toHaveAttribute(
    'href',
    '/auth/sign-up?email=ana%40example.org&returnTo=%2Flibrary',
  );
  await userEvent.type(screen.getByLabelText('Contraseña'), '!');
  expect(screen.getByLabelText('Contraseña')).toHaveValue('Escucho2026!');
});

const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

it('hashes each inline script and style once', () => {
  const html =
    '<head><script>a("<b>")</script><style>p{}</style><script type="module" src="/x.js"></script></head><style media="print">b{}</style><style>p{}</style>';
  expect(getCspHashes(html)).toEqual({ scripts: [sha('a("<b>")')], styles: [sha('p{}'), sha('b{}')] });
});

it.each([['<p style="color:red">'], ['<button onclick="x()">'], ['<img src=x onerror=x()>']])(
  'throws on %s, which no hash can allow',
  (html) => expect(() => getCspHashes(html)).toThrow(/CSP/),
);

it('ignores attributes inside scripts and styles', () => {
  expect(() =>
    getCspHashes('<script>"<p style=x onload=y>"</script><style>a[style="x"]{}</style>'),
  ).not.toThrow();
});
