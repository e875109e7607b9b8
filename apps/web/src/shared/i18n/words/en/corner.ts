import { flatten } from '../../flatten.ts';
import { playlists } from './playlists.ts';

/** The reader's own corner: favourites, playlists, library. It comes after the first page, with the tools on a track. */
export const corner = { playlists };
export const texts = flatten(corner);
