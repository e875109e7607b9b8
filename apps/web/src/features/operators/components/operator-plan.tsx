import { operatorNames, type Platform, type Subscription } from '@escucho/contracts';
import { Link } from 'react-router';
import { useConfig } from '#shared/config.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { buttonClassName } from '#shared/ui/button.tsx';
import { useCancelText } from '../plans.ts';

interface Props {
  platform: Platform;
  subscription: Subscription;
}

/** The subscription settings of an operator's user: the operator, the status, and how to cancel (SUB-02, SUB-07). */
export function OperatorPlan({ platform, subscription }: Props) {
  const t = useT();
  const format = useFormat();
  const operator = operatorNames[platform];
  const cancel = useCancelText(platform);
  const page = useConfig()?.operators.find((one) => one.platform === platform)?.page;
  const { isActive, willRenew, expiresAt } = subscription;
  return (
    <section className="rounded-lg border border-line bg-surface p-6">
      <p className="text-sm text-muted">{t('operator.servedBy', { operator })}</p>
      <h2 className="mt-1 font-serif text-lg font-semibold">
        {t(isActive ? 'operator.active' : 'operator.ended')}
      </h2>
      {isActive ? (
        <>
          <p className="mt-2 text-muted text-pretty">
            {t(willRenew ? 'operator.renews' : 'operator.lasts', { operator })}
          </p>
          <h3 className="mt-5 text-sm font-semibold">{t('operator.howToCancel')}</h3>
          <p className="mt-1 text-muted text-pretty">{cancel}</p>
        </>
      ) : (
        <p className="mt-2 text-muted text-pretty">
          {t('operator.endedText', { operator, date: expiresAt ? format.date(expiresAt) : '' })}
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {!isActive && page && (
          <a href={page} className={buttonClassName('solid')}>
            {t('operator.toOperator', { operator })}
          </a>
        )}
        <Link to={paths.terms} className={buttonClassName('soft')}>
          {t('operator.readTerms')}
        </Link>
      </div>
    </section>
  );
}
