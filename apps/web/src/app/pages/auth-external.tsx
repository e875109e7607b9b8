import { Coming } from './coming.tsx';
import { EchoRingsPicture } from './pictures.tsx';

export const AuthExternalPage = () => (
  <main className="grid min-h-dvh place-items-center px-4">
    <Coming title="pages.externalTitle" text="pages.externalText" picture={<EchoRingsPicture />} />
  </main>
);
