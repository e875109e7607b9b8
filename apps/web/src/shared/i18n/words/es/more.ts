import { faults as message } from '@escucho/contracts/messages/validation-es';
import { flatten } from '#shared/i18n/flatten.ts';
import { pages } from './pages.ts';
import { session } from './session.ts';

/** What only forms, the auth pages and the smaller pages need: it comes with them. `message` holds the contracts' field faults. */
export const more = { message, session, pages };
export const texts = flatten(more);
