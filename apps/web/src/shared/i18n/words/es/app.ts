import { errors as message } from '@escucho/contracts/messages/errors-es';
import { flatten } from '#shared/i18n/flatten.ts';
import { common } from './common.ts';
import { discover } from './discover.ts';
import { shell } from './shell.ts';

/** What is needed wherever the reader listens. `message` holds the contracts' codes. */
export const app = { message, common, shell, discover };
export const texts = flatten(app);
