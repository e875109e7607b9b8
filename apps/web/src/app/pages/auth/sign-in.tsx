import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { AuthCard } from '#app/layouts/auth-card.tsx';
import { ComingBack } from '#features/session/components/coming-back.tsx';
import { DoorWord } from '#features/session/components/door-word.tsx';
import { OtherDoors } from '#features/session/components/other-doors.tsx';
import { SignInForm } from '#features/session/components/sign-in-form.tsx';
import { readReturn } from '#features/session/model/redirect.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { paths, withQuery } from '#shared/paths.ts';

export function SignInPage() {
  const t = useT();
  const [query] = useSearchParams();
  // What it was opened with: the address is tidied while the reader is taken in.
  const [returned, setReturned] = useState(() => readReturn(location.search));
  if (returned)
    return (
      <AuthCard title={t('session.signInTitle')}>
        <ComingBack returned={returned} onFailed={() => setReturned(null)} />
      </AuthCard>
    );
  const signUp = withQuery(paths.signUp, { returnTo: query.get('returnTo') ?? undefined });
  return (
    <AuthCard
      title={t('session.signInTitle')}
      text={t('session.signInText')}
      foot={
        <>
          {t('session.newHere')}{' '}
          <Link to={signUp} className="link">
            {t('session.createAccount')}
          </Link>
        </>
      }
    >
      <DoorWord />
      <SignInForm />
      <OtherDoors />
    </AuthCard>
  );
}
