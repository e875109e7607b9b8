import { flatten } from '#shared/i18n/flatten.ts';
import { operator } from './operator.ts';
import { terms } from './terms.ts';

/** What operators' readers are told: it comes with the pages and parts for them. */
export const operators = { operator, terms };
export const texts = flatten(operators);
