import type { Platform } from '@escucho/contracts';

/** What an operator asks for, as it writes it, and how its plan is ended (section 9). */
export interface Plan {
  prices: readonly { period: 'daily' | 'weekly' | 'monthly'; price: string }[];
  /** Whether taxes come on top of the prices. */
  plusTax: boolean;
  /** `salir`: the word SALIR to the number; `number`: any message to the number, which also subscribes; `operator`: by the operator's own ways. */
  cancel: 'salir' | 'number' | 'operator';
  /** Where messages go, if anywhere. */
  sms: string;
  /** Whether it is for one country, and for adults or minors with consent. */
  limited: boolean;
}

/** The operators' plans. Antel tells its prices itself. */
export const plans: Record<Platform, Plan> = {
  bitel: {
    prices: [
      { period: 'daily', price: 'S/ 1.80' },
      { period: 'weekly', price: 'S/ 3.99' },
      { period: 'monthly', price: 'S/ 5.99' },
    ],
    ...{ plusTax: false, cancel: 'salir', sms: '1447', limited: false },
  },
  entel: {
    prices: [
      { period: 'daily', price: 'S/ 1.50' },
      { period: 'monthly', price: 'S/ 12.90' },
    ],
    ...{ plusTax: false, cancel: 'salir', sms: '22122', limited: false },
  },
  cnt: {
    prices: [{ period: 'daily', price: 'USD 0.30' }],
    ...{ plusTax: true, cancel: 'number', sms: '5502', limited: true },
  },
  antel: { prices: [], plusTax: false, cancel: 'operator', sms: '', limited: false },
};
