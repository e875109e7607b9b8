import { Link, useSearchParams } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { paths, withQuery } from '#shared/paths.ts';

/** The way back to sign-in, which keeps the e-mail and the way on. */
export function BackToSignIn() {
  const t = useT();
  const [query] = useSearchParams();
  const kept = { email: query.get('email') ?? undefined, returnTo: query.get('returnTo') ?? undefined };
  return (
    <Link to={withQuery(paths.signIn, kept)} className="link">
      {t('session.backToSignIn')}
    </Link>
  );
}
