import type { BrowserContext, ConsoleMessage, WebError } from '@playwright/test';

/** Collects what browsers report during a test: console errors, uncaught errors, violations of the security policy. */
export interface ConsoleErrors {
  /** Accepts errors that the test causes on purpose. */
  allow: (...patterns: RegExp[]) => void;
  /** Starts collecting the errors of a context. Returns a function that stops it. */
  watch: (context: BrowserContext) => () => void;
  /** Returns the errors that no pattern allows. */
  getUnexpected: () => string[];
}

/** The tag manager of operators' pages, whose name the browsers of the tests do not resolve. */
const tagManagerError = /net::ERR_NAME_NOT_RESOLVED \(https:\/\/www\.googletagmanager\.com\//;

export function createConsoleErrors(): ConsoleErrors {
  const errors: string[] = [];
  const allowed: RegExp[] = [tagManagerError];
  return {
    allow: (...patterns) => allowed.push(...patterns),
    watch: (context) => {
      const addMessage = (message: ConsoleMessage) => {
        if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
      };
      const addError = (event: WebError) => {
        const { stack, name, message } = event.error();
        errors.push(`uncaught: ${stack || `${name}: ${message}`}`);
      };
      context.on('console', addMessage);
      context.on('weberror', addError);
      return () => {
        context.off('console', addMessage);
        context.off('weberror', addError);
      };
    },
    getUnexpected: () => errors.filter((error) => !allowed.some((pattern) => pattern.test(error))),
  };
}

/** Matches Chromium's console message for a response with one of the statuses. */
export const statusError = (...statuses: number[]) => new RegExp(`status of (${statuses.join('|')})`);

/** Matches Chromium's console messages without a network. */
export const networkError = /net::ERR_(INTERNET_DISCONNECTED|FAILED|NETWORK_CHANGED)|Failed to fetch/;
