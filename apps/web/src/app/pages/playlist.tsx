import { Coming } from './coming.tsx';
import { ShelfPicture } from './pictures.tsx';

export const PlaylistPage = () => (
  <Coming title="pages.playlistTitle" text="pages.playlistText" picture={<ShelfPicture />} />
);
