import { useState } from 'react';
import { UnknownDoor } from '#features/operators/components/door-failure.tsx';
import { OperatorDoor } from '#features/operators/components/operator-door.tsx';
import { linkOf } from '#features/operators/model/link.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { AuthCard } from './auth/auth-card.tsx';

/** Where operators' links lead (EXT-01, EXT-02). */
export function AuthExternalPage() {
  const t = useT();
  // What it was opened with: the address may be cleared meanwhile.
  const [link] = useState(() => linkOf(new URLSearchParams(location.search)));
  return (
    <AuthCard title={t('operator.title')}>{link ? <OperatorDoor link={link} /> : <UnknownDoor />}</AuthCard>
  );
}
