import { OperatorTerms } from '#features/operators/components/operator-plan.tsx';
import { useSession } from '#features/session/session.ts';
import { NotFound } from './not-found.tsx';

/** The terms of a mobile operator, for its users only; others see the not-found page (EXT-07). */
export function TermsPage() {
  const { user } = useSession();
  // In the skeleton.
  if (!user) return null;
  return user.platform ? <OperatorTerms platform={user.platform} /> : <NotFound />;
}
