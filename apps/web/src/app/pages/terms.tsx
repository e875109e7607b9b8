import { OperatorTerms } from '#features/operators/components/operator-terms.tsx';
import { useSession } from '#features/session/session.ts';
import { NotFound } from './not-found.tsx';

/** For operators' readers only; to all others there is nothing here (EXT-07). */
export function TermsPage() {
  const { user } = useSession();
  return user?.platform ? <OperatorTerms platform={user.platform} /> : <NotFound />;
}
