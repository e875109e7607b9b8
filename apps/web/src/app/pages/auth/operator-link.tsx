import { useState } from 'react';
import { OperatorSignIn, UnknownOperatorError } from '#features/operators/components/operator-sign-in.tsx';
import { parseOperatorLink } from '#features/operators/model/link.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { AuthCard } from './auth-card.tsx';

/** The page that operators' links open (EXT-01, EXT-02). */
export function OperatorLinkPage() {
  const t = useT();
  // Read once: the parameters are removed from the URL.
  const [link] = useState(() => parseOperatorLink(new URLSearchParams(location.search)));
  return (
    <AuthCard title={t('operator.title')}>
      {link ? <OperatorSignIn link={link} /> : <UnknownOperatorError />}
    </AuthCard>
  );
}
