import { faults as message } from '@escucho/contracts/messages/validation-es';
import { flatten } from '../../flatten.ts';
import { checkout } from './checkout.ts';
import { manage } from './manage.ts';
import { subscription } from './subscription.ts';

export const texts = flatten({ message, subscription, checkout, manage });
