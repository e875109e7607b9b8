import { operatorNames, type Platform } from '@escucho/contracts';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';

/** An operator's plan as the operator words it, and how it is canceled (section 9). */
export interface OperatorPlan {
  prices: readonly { period: 'daily' | 'weekly' | 'monthly'; price: string }[];
  /** Whether taxes are added to the prices. */
  plusTax: boolean;
  /** `salir`: the word SALIR by SMS; `number`: any SMS, which also subscribes; `operator`: at the operator. */
  cancel: 'salir' | 'number' | 'operator';
  /** The number for SMS; empty if there is none. */
  sms: string;
  /** Whether it is limited to one country, and to adults or minors with consent. */
  limited: boolean;
}

/** The operators' plans. Antel publishes no prices here. */
export const operatorPlans: Record<Platform, OperatorPlan> = {
  bitel: {
    prices: [
      { period: 'daily', price: 'S/ 1.80' },
      { period: 'weekly', price: 'S/ 3.99' },
      { period: 'monthly', price: 'S/ 5.99' },
    ],
    plusTax: false,
    cancel: 'salir',
    sms: '1447',
    limited: false,
  },
  entel: {
    prices: [
      { period: 'daily', price: 'S/ 1.50' },
      { period: 'monthly', price: 'S/ 12.90' },
    ],
    plusTax: false,
    cancel: 'salir',
    sms: '22122',
    limited: false,
  },
  cnt: {
    prices: [{ period: 'daily', price: 'USD 0.30' }],
    plusTax: true,
    cancel: 'number',
    sms: '5502',
    limited: true,
  },
  antel: { prices: [], plusTax: false, cancel: 'operator', sms: '', limited: false },
};

const cancelKeys: Record<OperatorPlan['cancel'], MessageKey> = {
  salir: 'operator.cancelSalir',
  number: 'operator.cancelNumber',
  operator: 'operator.cancelOperator',
};

/** Returns how an operator's plan is canceled, in one sentence. */
export function useCancelText(platform: Platform): string {
  const { cancel, sms } = operatorPlans[platform];
  return useT()(cancelKeys[cancel], { number: sms, operator: operatorNames[platform] });
}
