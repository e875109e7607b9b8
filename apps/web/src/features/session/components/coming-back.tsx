import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { paths, withQuery } from '#shared/paths.ts';
import { Spinner } from '#shared/ui/spinner.tsx';
import { type Return, readReturn } from '../model/redirect.ts';
import { comeBack, takeReturnTo } from '../redirect.ts';
import { enter } from '../runner.ts';
import { useFailure } from './use-failure.ts';

/** Somebody is back from a provider (AUTH-08): takes them in, or says what went wrong. */
export function ComingBack({ returned, onFailed }: { returned: Return; onFailed: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const { search } = useLocation();
  const failed = useFailure('session.redirectFailed');
  const begun = useRef(false);
  const [kept, setKept] = useState(false);

  const fail = (error: unknown) => {
    console.error('Sign-in by redirect failed', error);
    failed(error);
    onFailed();
  };

  useEffect(() => {
    // A code is good once.
    if (begun.current) return;
    begun.current = true;
    const returnTo = takeReturnTo();
    comeBack(returned)
      .finally(() => navigate(withQuery(paths.signIn, { returnTo }), { replace: true }))
      .then(() => setKept(true), fail);
  });

  // Not before the address knows where to go on to: who is in goes there at once.
  const isTidy = readReturn(search) === null;
  const entered = useRef(false);
  useEffect(() => {
    if (!kept || !isTidy || entered.current) return;
    entered.current = true;
    enter().catch(fail);
  });

  return (
    <p role="status" className="flex items-center gap-3 text-muted">
      <Spinner className="size-5 text-accent-text" />
      {t('session.comingBack')}
    </p>
  );
}
