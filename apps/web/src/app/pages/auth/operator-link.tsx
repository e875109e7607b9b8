import { platforms } from '@escucho/contracts';
import { useState } from 'react';
import {
  OperatorPlanEnded,
  OperatorSignIn,
  UnknownOperatorError,
} from '#features/operators/components/operator-sign-in.tsx';
import { parseOperatorLink } from '#features/operators/model/link.ts';
import { useIsHydrated } from '#shared/document.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { WorkingStatus } from '#shared/ui/button.tsx';
import { AuthCard } from './auth-card.tsx';

function LinkContent() {
  // Read once: the parameters are removed from the URL.
  const [query] = useState(() => new URLSearchParams(location.search));
  const ended = query.get('ended');
  const link = parseOperatorLink(query);
  if (ended !== null)
    return <OperatorPlanEnded platform={platforms.find((platform) => platform === ended) ?? null} />;
  return link ? <OperatorSignIn link={link} /> : <UnknownOperatorError />;
}

/** The page that operators' links open (EXT-01, EXT-02), and where a session ends with its plan (SUB-02). */
export function OperatorLinkPage() {
  const t = useT();
  const isHydrated = useIsHydrated();
  return (
    <AuthCard title={t('operator.title')}>
      {/* The build knows no query. */}
      {isHydrated ? <LinkContent /> : <WorkingStatus>{t('common.loading')}</WorkingStatus>}
    </AuthCard>
  );
}
