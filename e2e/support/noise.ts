import type { BrowserContext } from '@playwright/test';

/** What a browser complains of while a story goes on: errors in the console, uncaught errors, broken security policy. */
export interface Noise {
  /** Complaints this story means to cause. */
  allow: (...patterns: RegExp[]) => void;
  /** Hears a context from now on. */
  hear: (context: BrowserContext) => void;
  /** Complaints that nobody allowed. */
  heard: () => string[];
}

/** A collector of complaints. */
export function createNoise(): Noise {
  const complaints: string[] = [];
  const allowed: RegExp[] = [];
  return {
    allow: (...patterns) => allowed.push(...patterns),
    hear: (context) => {
      context.on('console', (message) => {
        if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => {
        const { stack, name, message } = error.error();
        complaints.push(`uncaught: ${stack || `${name}: ${message}`}`);
      });
    },
    heard: () => complaints.filter((complaint) => !allowed.some((pattern) => pattern.test(complaint))),
  };
}

/** What Chromium says of an answer with a status that is no success. */
export const answered = (...statuses: number[]) => new RegExp(`status of (${statuses.join('|')})`);

/** What Chromium says while there is no network. */
export const noNetwork = /net::ERR_(INTERNET_DISCONNECTED|FAILED|NETWORK_CHANGED)/;
