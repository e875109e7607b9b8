import { vi } from 'vitest';

interface Result {
  error?: { type: string; message?: string };
}

let behaviour: () => Promise<Result> = async () => ({});
const asked: Record<'made' | 'elements' | 'confirmed' | 'payments', unknown[]> = {
  ...{ made: [], elements: [], confirmed: [], payments: [] },
};

function anElement() {
  const listeners = new Map<string, () => void>();
  return {
    mount: (place: HTMLElement) => {
      place.textContent = 'Stripe’s fields';
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
    asked.elements.push(options);
    return { create: anElement, getElement: () => null, update: () => undefined };
  },
  confirmSetup: (options: unknown) => {
    asked.confirmed.push(options);
    return behaviour();
  },
  createToken: () => undefined,
  createPaymentMethod: () => undefined,
  confirmCardPayment: async (...payment: unknown[]) => {
    asked.payments.push(payment);
    return {};
  },
  _registerWrapper: () => undefined,
  registerAppInfo: () => undefined,
};

// The loader keeps the first it finds.
const make = (...options: unknown[]) => {
  asked.made.push(options);
  return stripe;
};

/** Stripe's script as far as the card form touches it. In: what confirming comes to. Out: what it was made and asked with. */
export function mockStripe(confirmSetup: () => Promise<Result>): typeof asked {
  behaviour = confirmSetup;
  for (const list of Object.values(asked)) list.length = 0;
  vi.stubGlobal('Stripe', Object.assign(make, { version: 'endive' }));
  return asked;
}
