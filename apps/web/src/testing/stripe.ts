import { vi } from 'vitest';

interface Result {
  error?: { type: string; message?: string };
}

let confirm: () => Promise<Result> = async () => ({});
const calls: Record<'created' | 'elements' | 'confirmed' | 'payments', unknown[]> = {
  created: [],
  elements: [],
  confirmed: [],
  payments: [],
};

function createElement() {
  const listeners = new Map<string, () => void>();
  return {
    mount: (container: HTMLElement) => {
      container.textContent = 'Stripe’s fields';
      setTimeout(() => listeners.get('ready')?.());
    },
    on: (name: string, listener: () => void) => void listeners.set(name, listener),
    off: () => undefined,
    update: () => undefined,
    destroy: () => undefined,
  };
}

const stripe = {
  elements: (options: unknown) => {
    calls.elements.push(options);
    return { create: createElement, getElement: () => null, update: () => undefined };
  },
  confirmSetup: (options: unknown) => {
    calls.confirmed.push(options);
    return confirm();
  },
  createToken: () => undefined,
  createPaymentMethod: () => undefined,
  confirmCardPayment: (...payment: unknown[]) => {
    calls.payments.push(payment);
    return confirm();
  },
  _registerWrapper: () => undefined,
  registerAppInfo: () => undefined,
};

// Stays the same object: Stripe's loader caches the first one.
const createStripe = (...options: unknown[]) => {
  calls.created.push(options);
  return stripe;
};

/**
 * Mocks the parts of Stripe.js that the card form and the bank's confirmation use.
 *
 * @param confirmCard - what the bank responds to a card's set-up or payment
 * @returns the arguments of the calls, which are added as they happen
 */
export function mockStripe(confirmCard: () => Promise<Result>): typeof calls {
  confirm = confirmCard;
  for (const list of Object.values(calls)) list.length = 0;
  vi.stubGlobal('Stripe', Object.assign(createStripe, { version: 'endive' }));
  return calls;
}
