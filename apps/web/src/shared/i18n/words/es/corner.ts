import { flatten } from '#shared/i18n/flatten.ts';
import { history } from './history.ts';
import { notifications } from './notifications.ts';
import { playlists } from './playlists.ts';

/** The reader's own corner: favourites, playlists, library, news. It comes after the first page, with the first part that needs it. */
export const corner = { history, notifications, playlists };
export const texts = flatten(corner);
