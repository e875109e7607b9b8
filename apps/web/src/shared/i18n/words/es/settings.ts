import { flatten } from '../../flatten.ts';
import { figures } from './figures.ts';
import { profile } from './profile.ts';

/** The reader's own settings and figures: they come with the pages and parts that show them. */
export const settings = { profile, figures };
export const texts = flatten(settings);
