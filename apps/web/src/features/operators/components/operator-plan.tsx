import { operatorNames, type Platform } from '@escucho/contracts';
import { Link } from 'wouter';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { buttonClassName } from '#shared/ui/button.tsx';
import { useCancelText } from '../plans.ts';

interface Props {
  platform: Platform;
  willRenew: boolean;
}

/**
 * The subscription settings of an operator's user: the operator, the renewal, and how to cancel (SUB-02, SUB-07). The
 * subscription is active: the end of the plan ends the session.
 */
export function OperatorPlan({ platform, willRenew }: Props) {
  const t = useT();
  const operator = operatorNames[platform];
  const cancel = useCancelText(platform);
  return (
    <section className="rounded-lg border border-line bg-surface p-6">
      <p className="text-sm text-muted">{t('operator.servedBy', { operator })}</p>
      <h2 className="mt-1 font-serif text-lg font-semibold">{t('operator.active')}</h2>
      <p className="mt-2 text-muted text-pretty">
        {t(willRenew ? 'operator.renews' : 'operator.lasts', { operator })}
      </p>
      <h3 className="mt-5 text-sm font-semibold">{t('operator.howToCancel')}</h3>
      <p className="mt-1 text-muted text-pretty">{cancel}</p>
      <Link to={paths.terms} className={buttonClassName('soft', 'mt-6')}>
        {t('operator.readTerms')}
      </Link>
    </section>
  );
}
