import { faults as message } from '@escucho/contracts/messages/validation-es';
import { flatten } from '#shared/i18n/flatten.ts';
import { checkout } from './checkout.ts';
import { manage } from './manage.ts';
import { subscription } from './subscription.ts';

export const texts = flatten({ message, subscription, checkout, manage });
