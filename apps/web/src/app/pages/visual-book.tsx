import { Coming } from './coming.tsx';
import { BookPicture } from './pictures.tsx';

export const VisualBookPage = () => (
  <Coming title="pages.visualBookTitle" text="pages.visualBookText" picture={<BookPicture />} />
);
