import { flatten } from '../../flatten.ts';
import { history } from './history.ts';
import { notifications } from './notifications.ts';
import { playlists } from './playlists.ts';
import { subscription } from './subscription.ts';

/** The reader's own corner: favourites, playlists, library, news, subscribing. It comes after the first page, with the first part that needs it. */
export const corner = { history, notifications, playlists, subscription };
export const texts = flatten(corner);
