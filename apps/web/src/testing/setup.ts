import '@testing-library/jest-dom/vitest';
import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { useToasts } from '../shared/ui/toast.tsx';
import { server } from './server.ts';

// Generous for a busy machine; passing tests do not wait for it.
configure({ asyncUtilTimeout: 20_000 });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
// Not in afterEach: requests that a test has left in flight still get their mocked response.
beforeEach(() => server.resetHandlers());
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  onlineManager.setOnline(true);
  // Each stays for five seconds.
  useToasts.setState({ toasts: [] });
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
  // Files of one process share the libraries; the app's modules, with their state, are each file's own.
  await vi.dynamicImportSettled();
  vi.resetModules();
});

// Browser APIs that jsdom lacks.

HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
  this.querySelector('button')?.focus();
};
HTMLDialogElement.prototype.close = function close() {
  if (!this.open) return;
  this.open = false;
  this.dispatchEvent(new Event('close'));
};

const toggle = (popover: HTMLElement, newState: string) => {
  popover.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState }));
  popover.style.display = newState === 'open' ? 'block' : 'none';
};
// A property, not a listener: files can share a document, and would toggle twice.
document.onclick = ({ target }) => {
  const button = target instanceof Element ? target.closest('[popovertarget]') : null;
  const popover = document.getElementById(button?.getAttribute('popovertarget') ?? '');
  if (popover) toggle(popover, popover.style.display === 'block' ? 'closed' : 'open');
};

window.scrollTo = () => undefined;
HTMLMediaElement.prototype.load = () => undefined;
HTMLMediaElement.prototype.pause = () => undefined;
HTMLMediaElement.prototype.play = async () => undefined;
Element.prototype.scrollIntoView = () => undefined;

// jsdom has no layout.
window.ResizeObserver = class {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
};

// Everything is in view.
window.IntersectionObserver = class implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = '';
  readonly scrollMargin = '';
  readonly thresholds = [];
  readonly #callback: IntersectionObserverCallback;
  constructor(callback: IntersectionObserverCallback) {
    this.#callback = callback;
  }
  observe(target: Element) {
    const rect = target.getBoundingClientRect();
    const entry: IntersectionObserverEntry = {
      target,
      isIntersecting: true,
      intersectionRatio: 1,
      time: 0,
      rootBounds: null,
      boundingClientRect: rect,
      intersectionRect: rect,
    };
    queueMicrotask(() => this.#callback([entry], this));
  }
  unobserve = () => undefined;
  disconnect = () => undefined;
  takeRecords = () => [];
};

CSSStyleSheet.prototype.replaceSync = () => undefined;
Object.assign(document, { adoptedStyleSheets: [], fonts: { load: async () => [] } });

// A wide screen, to which no query for a narrow one applies.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
