import { useSession } from '../../features/session/session.ts';
import { Coming } from './coming.tsx';
import { NotFound } from './not-found.tsx';
import { BookPicture } from './pictures.tsx';

/** For operators' readers only; to all others there is nothing here (EXT-07). */
export function TermsPage() {
  const { user } = useSession();
  if (!user?.isExternal) return <NotFound />;
  return <Coming title="pages.termsTitle" text="pages.termsText" picture={<BookPicture />} />;
}
