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

/** Returns the parameters of the messages about an operator's plan. */
const getParams = (platform: Platform) => ({
  operator: operatorNames[platform],
  number: operatorPlans[platform].sms,
});

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
  const params = getParams(platform);
  return (
    <section className="rounded-lg border border-line bg-surface p-6">
      <p className="text-sm text-muted">{t('operator.servedBy', params)}</p>
      <h2 className="mt-1 font-serif text-lg font-semibold">{t('operator.active')}</h2>
      <p className="mt-2 text-muted text-pretty">
        {t(willRenew ? 'operator.renews' : 'operator.lasts', params)}
      </p>
      <h3 className="mt-5 text-sm font-semibold">{t('operator.howToCancel')}</h3>
      <p className="mt-1 text-muted text-pretty">{t(operatorPlans[platform].cancel, params)}</p>
      <Link to={paths.terms} className={buttonClassName('soft', 'mt-6')}>
        {t('shell.terms')}
      </Link>
    </section>
  );
}

interface SectionProps {
  title: MessageKey;
  texts: readonly MessageKey[];
  platform: Platform;
  /** Shown above the texts. */
  children?: ReactNode;
}

function Section({ title, texts, platform, children }: SectionProps) {
  const t = useT();
  return (
    <section className="mt-8">
      <h2 className="heading text-lg">{t(title)}</h2>
      <div className="mt-2 grid gap-3 font-serif leading-relaxed text-pretty">
        {children}
        {texts.map((text) => (
          <p key={text}>{t(text, getParams(platform))}</p>
        ))}
      </div>
    </section>
  );
}

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
  const { cancel, limited } = operatorPlans[platform];
  const duration = platform === 'entel' ? 'terms.renews' : 'terms.lasts';
  return (
    <article className="max-w-[38rem]">
      <p className="text-sm font-semibold text-accent-text">{operatorNames[platform]}</p>
      <h1 className="mt-1 heading text-2xl">{t('shell.terms')}</h1>
      <p className="mt-4 font-serif text-lg leading-relaxed text-muted text-pretty">
        {t('terms.lead', getParams(platform))}
      </p>
      <Section platform={platform} title="terms.serviceTitle" texts={['terms.service', 'terms.access']} />
      <Section platform={platform} title="terms.pricesTitle" texts={['terms.charged']}>
        <Prices platform={platform} />
      </Section>
      <Section platform={platform} title="terms.durationTitle" texts={[duration]} />
      <Section platform={platform} title="operator.howToCancel" texts={[cancel, 'terms.afterCancel']} />
      {limited && <Section platform={platform} title="terms.whoTitle" texts={['terms.who']} />}
      <Section platform={platform} title="terms.useTitle" texts={['terms.use']} />
      <Section platform={platform} title="terms.dataTitle" texts={['terms.data']} />
      <Section platform={platform} title="terms.questionsTitle" texts={['terms.questions']} />
    </article>
  );
}
