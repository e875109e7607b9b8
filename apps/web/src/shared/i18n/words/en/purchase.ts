import { faults as message } from '@escucho/contracts/messages/validation-en';
import { flatten } from '#shared/i18n/flatten.ts';
import { checkout } from './checkout.ts';
import { manage } from './manage.ts';
import { subscription } from './subscription.ts';

/** Plans, subscribing and paying: it comes with the first part that sells or manages a plan. */
export const purchase = { message, subscription, checkout, manage };
export const texts = flatten(purchase);
