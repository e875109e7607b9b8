import { useQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { formatPrice, getFrequencyText, getMonthlyPrice, getPlanName, getTrialText } from '../model/plans.ts';
import { type PlanOption, plansQuery } from '../queries.ts';

/** The provider's id for all visitors; nothing is stored about them. */
const VISITOR_ID = 'visitor';

/** The plans with their prices for visitors without an account; nothing where none is sold or the provider is unavailable. */
export function PlanList({ title, text }: { title: string; text: string }) {
  const { data: plans = [] } = useQuery(plansQuery(VISITOR_ID));
  if (plans.length === 0) return null;
  return (
    <section className="mt-20">
      <h2 className="font-serif text-xl font-semibold tracking-tight">{title}</h2>
      <p className="mt-2 max-w-2xl text-muted text-pretty">{text}</p>
      <ul className="mt-6 grid gap-4 sm:grid-cols-3">
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} />
        ))}
      </ul>
    </section>
  );
}

function PlanCard({ plan: { pack, saves } }: { plan: PlanOption }) {
  const t = useT();
  const language = useLanguage();
  const { base, trial } = pack.product.defaultOption;
  const { price, period } = base;
  const monthly = period && getMonthlyPrice(price, period);
  const details = [
    monthly && t('subscription.aMonth', { price: formatPrice(monthly, language) }),
    trial?.period && getTrialText(trial.period, t),
    saves !== null && t('subscription.saves', { percent: saves }),
  ].filter((detail) => typeof detail === 'string');
  return (
    <li className="rounded-lg border border-line bg-surface p-5">
      <h3 className="font-semibold">{getPlanName(period, pack.product.title, t)}</h3>
      <p className="mt-2 text-sm text-muted">
        <span className="font-serif text-xl font-semibold text-ink">{formatPrice(price, language)}</span>{' '}
        {period && getFrequencyText(period, language, t)}
      </p>
      <ul className="mt-2 text-sm text-muted">
        {details.map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
    </li>
  );
}
