import { operatorNames, type Platform } from '@escucho/contracts';
import type { ReactNode } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { operatorPlans, useCancelText } from '../plans.ts';

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-8">
    <h2 className="font-serif text-lg font-semibold tracking-tight">{title}</h2>
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
      <h1 className="mt-1 font-serif text-2xl font-semibold tracking-tight">{t('shell.terms')}</h1>
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
