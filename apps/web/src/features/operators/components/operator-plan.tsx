import { operatorNames, type Platform } from '@escucho/contracts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { buttonClassName } from '#shared/ui/button.tsx';

/** An operator's plan as the operator words it, and how it is canceled (section 9). */
interface Plan {
  prices: readonly { period: 'daily' | 'weekly' | 'monthly'; price: string }[];
  /** Whether taxes are added to the prices. */
  plusTax?: true;
  /** By the word SALIR by SMS, by any SMS, which also subscribes, or at the operator. */
  cancel: MessageKey;
  /** The number for SMS; empty if there is none. */
  sms: string;
  /** Whether it is limited to one country, and to adults or minors with consent. */
  limited?: true;
}

/** The operators' plans. Antel publishes no prices here. */
const operatorPlans: Record<Platform, Plan> = {
  bitel: {
    prices: [
      { period: 'daily', price: 'S/ 1.80' },
      { period: 'weekly', price: 'S/ 3.99' },
      { period: 'monthly', price: 'S/ 5.99' },
    ],
    cancel: 'operator.cancelSalir',
    sms: '1447',
  },
  entel: {
    prices: [
      { period: 'daily', price: 'S/ 1.50' },
      { period: 'monthly', price: 'S/ 12.90' },
    ],
    cancel: 'operator.cancelSalir',
    sms: '22122',
  },
  cnt: {
    prices: [{ period: 'daily', price: 'USD 0.30' }],
    plusTax: true,
    cancel: 'operator.cancelNumber',
    sms: '5502',
    limited: true,
  },
  antel: { prices: [], cancel: 'operator.cancelOperator', sms: '' },
};

/** Returns how an operator's plan is canceled, in one sentence. */
function useCancelText(platform: Platform): string {
  const { cancel, sms } = operatorPlans[platform];
  return useT()(cancel, { number: sms, operator: operatorNames[platform] });
}

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
        {t('shell.terms')}
      </Link>
    </section>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-8">
    <h2 className="heading text-lg">{title}</h2>
    <div className="mt-2 grid gap-3 font-serif leading-relaxed text-pretty">{children}</div>
  </section>
);

function Prices({ platform }: { platform: Platform }) {
  const t = useT();
  const { prices, plusTax } = operatorPlans[platform];
  if (prices.length === 0) return <p>{t('terms.pricesOwn', { operator: operatorNames[platform] })}</p>;
  return (
    <>
      <dl className="grid gap-3 font-sans sm:grid-cols-3">
        {prices.map(({ period, price }) => (
          <div key={period} className="rounded-lg border border-line bg-surface px-5 py-4">
            <dt className="text-sm text-muted">{t(`terms.${period}`)}</dt>
            <dd className="mt-0.5 text-lg font-semibold tabular-nums">
              {plusTax ? t('terms.plusTax', { price }) : price}
            </dd>
          </div>
        ))}
      </dl>
      <p>{t(plusTax ? 'terms.taxOnTop' : 'terms.taxIncluded')}</p>
    </>
  );
}

/** The terms of an operator's plan, with its prices and how to cancel (EXT-07). */
export function OperatorTerms({ platform }: { platform: Platform }) {
  const t = useT();
  const operator = operatorNames[platform];
  const cancel = useCancelText(platform);
  const { limited } = operatorPlans[platform];
  return (
    <article className="max-w-[38rem]">
      <p className="text-sm font-semibold text-accent-text">{operator}</p>
      <h1 className="mt-1 heading text-2xl">{t('shell.terms')}</h1>
      <p className="mt-4 font-serif text-lg leading-relaxed text-muted text-pretty">
        {t('terms.lead', { operator })}
      </p>
      <Section title={t('terms.serviceTitle')}>
        <p>{t('terms.service')}</p>
        <p>{t('terms.access', { operator })}</p>
      </Section>
      <Section title={t('terms.pricesTitle')}>
        <Prices platform={platform} />
        <p>{t('terms.charged', { operator })}</p>
      </Section>
      <Section title={t('terms.durationTitle')}>
        <p>{t(platform === 'entel' ? 'terms.renews' : 'terms.lasts', { operator })}</p>
      </Section>
      <Section title={t('operator.howToCancel')}>
        <p>{cancel}</p>
        <p>{t('terms.afterCancel')}</p>
      </Section>
      {limited && (
        <Section title={t('terms.whoTitle')}>
          <p>{t('terms.who')}</p>
        </Section>
      )}
      <Section title={t('terms.useTitle')}>
        <p>{t('terms.use')}</p>
      </Section>
      <Section title={t('terms.dataTitle')}>
        <p>{t('terms.data', { operator })}</p>
      </Section>
      <Section title={t('terms.questionsTitle')}>
        <p>{t('terms.questions', { operator })}</p>
      </Section>
    </article>
  );
}
