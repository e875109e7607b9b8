import { operatorNames, type Platform } from '@escucho/contracts';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { plans } from './model/plans.ts';

const words: Record<(typeof plans)[Platform]['cancel'], MessageKey> = {
  salir: 'operator.cancelSalir',
  number: 'operator.cancelNumber',
  operator: 'operator.cancelOperator',
};

/** How an operator's plan is ended, in one sentence. */
export function useCancelText(platform: Platform): string {
  const { cancel, sms } = plans[platform];
  return useT()(words[cancel], { number: sms, operator: operatorNames[platform] });
}
