import { flatten } from '../../flatten.ts';
import { pages } from './pages.ts';
import { session } from './session.ts';

/** What only the auth pages and the smaller pages need: it comes with them. */
export const more = { session, pages };
export const texts = flatten(more);
