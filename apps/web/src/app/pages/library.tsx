import { Coming } from './coming.tsx';
import { ShelfPicture } from './pictures.tsx';

export const LibraryPage = () => (
  <Coming title="pages.libraryTitle" text="pages.libraryText" picture={<ShelfPicture />} />
);
