import { useQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { getOfferTexts } from '../model/plans.ts';
import { type PlanOption, plansQuery } from '../queries.ts';

/** The provider's id for all visitors; nothing is stored about them. */
const VISITOR_ID = 'visitor';

/** The plans with their prices for visitors without an account; nothing where none is sold or the provider is unavailable. */
export function PlanList({ title, text }: { title: string; text: string }) {
  const { data: plans = [] } = useQuery(plansQuery(VISITOR_ID));
  if (plans.length === 0) return null;
  return (
    <section className="mt-20">
      <h2 className="heading text-xl">{title}</h2>
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
  const { plan, price, often, monthly, trial } = getOfferTexts(pack.product, language, t);
  const benefit = saves !== null && t('subscription.saves', { percent: saves });
  const details = [monthly, trial, benefit].filter((detail) => typeof detail === 'string');
  return (
    <li className="rounded-lg border border-line bg-surface p-5">
      <h3 className="font-semibold">{plan}</h3>
      <p className="mt-2 text-sm text-muted">
        <span className="font-serif text-xl font-semibold text-ink">{price}</span> {often}
      </p>
      <ul className="mt-2 text-sm text-muted">
        {details.map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
    </li>
  );
}
