import type { Plan } from '@escucho/contracts';
import type { Package } from '@escucho/purchases';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useFormat, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { Skeleton } from '#shared/ui/states.tsx';
import { addPeriod, formatPrice, getOfferTexts, getPlanTerms } from '../model/plans.ts';
import { type PlanOption, plansQuery } from '../queries.ts';

// The plans render before anything else of a purchase.
interface Props {
  userId: string;
  onSubscribe: (pack: Package) => void;
  /** Called by the close button shown where there are no plans. */
  onClose?: () => void;
}

/** The plans with their prices and the subscribe button (SUB-01), or their loading, error or empty state. */
export function PlanChooser({ userId, onSubscribe, onClose }: Props) {
  const t = useT();
  const { data: plans, isError, isPaused, isFetching, failureCount, refetch } = useQuery(plansQuery(userId));
  if (plans?.length === 0)
    return (
      <>
        <Note text={t('subscription.noPlans')} />
        {onClose && (
          <Button variant="solid" onClick={onClose} className="mt-5 w-full">
            {t('subscription.close')}
          </Button>
        )}
      </>
    );
  if (plans) return <Plans plans={plans} onSubscribe={onSubscribe} />;
  if (isError || isPaused)
    return (
      <div role="alert">
        <Note text={t('subscription.plansFailed')} />
        <Button busy={isFetching} onClick={() => void refetch()} className="mt-5 w-full">
          {t('common.retry')}
        </Button>
      </div>
    );
  return (
    <div aria-busy="true" className="mt-6 grid gap-4">
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-11 rounded-full" />
      <p role="status" className="text-xs text-muted empty:hidden">
        {failureCount > 0 && t('subscription.retrying')}
      </p>
    </div>
  );
}

const Note = ({ text }: { text: string }) => (
  <p className="mt-6 rounded-md bg-overlay px-4 py-3 text-sm text-muted text-pretty">{text}</p>
);

function Plans({ plans, onSubscribe }: { plans: readonly PlanOption[]; onSubscribe: Props['onSubscribe'] }) {
  const t = useT();
  const name = useId();
  const [first] = plans;
  const [selectedId, setSelectedId] = useState(first?.id);
  const plan = plans.find(({ id }) => id === selectedId) ?? first;
  return (
    <form
      className="mt-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (plan) onSubscribe(plan.pack);
      }}
    >
      <fieldset className="plans">
        <legend className="sr-only">{t('subscription.plan')}</legend>
        {plans.map(({ id, pack }) => (
          <label key={id} className="plan">
            <input type="radio" name={name} checked={id === plan?.id} onChange={() => setSelectedId(id)} />
            {t(`subscription.${id}`)}
            {id === 'yearly' && <span className="plan-top text-xs">{t('subscription.top')}</span>}
            <MonthlyPrice product={pack.product} />
          </label>
        ))}
      </fieldset>
      {plan && <Terms plan={plan} />}
      <Button variant="solid" type="submit" className="mt-5 w-full">
        {t('subscription.subscribe')}
      </Button>
      {/* In a tab of their own: a purchase may have begun. */}
      <p className="mt-2 flex flex-wrap justify-center gap-x-5 text-sm">
        {[
          { to: paths.termsOfUse, text: t('shell.termsOfUse') },
          { to: paths.privacy, text: t('shell.privacy') },
        ].map(({ to, text }) => (
          <a
            key={to}
            href={to}
            target="_blank"
            rel="noopener"
            className="link inline-flex min-h-11 items-center"
          >
            {text}
            <span className="sr-only"> {t('shell.newTab')}</span>
          </a>
        ))}
      </p>
    </form>
  );
}

/** What a plan costs a month, to compare plans of different length. */
function MonthlyPrice({ product }: Pick<Package, 'product'>) {
  const t = useT();
  const { price, monthly } = getOfferTexts(product, useLanguage(), t);
  return (
    <span className="text-xs font-normal text-muted">{monthly ?? t('subscription.aMonth', { price })}</span>
  );
}

/** What a plan costs, what is charged today, and with a trial when the first charge follows. */
function Terms({ plan: { pack, saves } }: { plan: PlanOption }) {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const { base, trial } = pack.product.defaultOption;
  const offer = getOfferTexts(pack.product, language, t);
  const benefits = [offer.trial, saves !== null && t('subscription.saves', { percent: saves })].filter(
    Boolean,
  );
  return (
    <>
      <div aria-live="polite" className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">{benefits.join(' · ') || t('subscription.cancelAnytime')}</p>
        <p className="text-sm text-muted">
          <span className="font-serif text-lg font-semibold text-ink">{offer.price}</span> {offer.often}
        </p>
      </div>
      <div className="mt-3 border-t border-line pt-3 text-sm">
        <p className="flex justify-between gap-3 font-semibold">
          {t('subscription.totalToday')}{' '}
          <span>{trial?.period ? formatPrice({ ...base.price, amount: 0 }, language) : offer.price}</span>
        </p>
        {trial?.period && (
          <p className="mt-1 flex justify-between gap-3 text-muted">
            {t('subscription.firstCharge', {
              date: format.date(addPeriod(new Date(), trial.period).toISOString()),
            })}{' '}
            <span>{offer.price}</span>
          </p>
        )}
      </div>
    </>
  );
}

interface ChangePlanProps {
  plans: readonly Plan[];
  /** The product of the next renewal. */
  currentProduct: string;
  busy: boolean;
  onChoose: (product: string) => void;
  onClose: () => void;
}

/** Chooses another plan from the next renewal on. */
export function ChangePlanDialog({ plans, currentProduct, busy, onChoose, onClose }: ChangePlanProps) {
  const t = useT();
  const language = useLanguage();
  const name = useId();
  const [product, setProduct] = useState(currentProduct);
  return (
    <Dialog title={t('manage.changeTitle')} onClose={onClose}>
      <p className="-mt-2 text-muted text-pretty">{t('manage.changeText')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (product === currentProduct) onClose();
          else onChoose(product);
        }}
      >
        <fieldset className="mt-5 grid gap-3">
          <legend className="sr-only">{t('subscription.plan')}</legend>
          {plans.map((plan) => {
            const terms = getPlanTerms(plan, language, t);
            return (
              <label key={plan.product} className="plan plan-row">
                <input
                  type="radio"
                  name={name}
                  checked={plan.product === product}
                  onChange={() => setProduct(plan.product)}
                />
                <span>
                  <span className="whitespace-nowrap">{terms.plan}</span>
                  {plan.product === currentProduct && (
                    <span className="block text-xs text-muted">{t('subscription.plan')}</span>
                  )}
                </span>
                <span className="text-balance">{t('manage.price', terms)}</span>
              </label>
            );
          })}
        </fieldset>
        <Button variant="solid" type="submit" busy={busy} className="mt-5 w-full">
          {t(product === currentProduct ? 'manage.keepPlan' : 'manage.choose')}
        </Button>
      </form>
    </Dialog>
  );
}
