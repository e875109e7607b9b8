import { flatten } from '#shared/i18n/flatten.ts';
import { account } from './account.ts';
import { figures } from './figures.ts';
import { profile } from './profile.ts';

/** The reader's own settings, figures and account: they come with the pages and parts that show them. */
export const settings = { profile, figures, account };
export const texts = flatten(settings);
