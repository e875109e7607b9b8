import type { Branding, Package } from '@escucho/purchases';
import { Check } from 'lucide-react';
import { getOfferTexts, getRenewalText } from '#features/subscription/model/plans.ts';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Logo } from '#shared/ui/logo.tsx';

interface Props {
  pack: Package;
  /** Null until it has loaded, or if it does not load. */
  branding: Branding | null;
  isSandbox: boolean;
}

/** The seller, the plan, its price and its renewal (BUY-05). */
export function PricingPanel({ pack: { product }, branding, isSandbox }: Props) {
  const t = useT();
  const language = useLanguage();
  const { period } = product.defaultOption.base;
  const { plan, price, trial } = getOfferTexts(product, language, t);
  const lines = [
    period && getRenewalText(period, language, t),
    t('checkout.continues'),
    t('subscription.cancelAnytime'),
  ].filter((line) => line !== null);
  return (
    <aside aria-label={t('checkout.details')} className="purchase-panel">
      <div className="flex flex-wrap items-center gap-3">
        <Seller branding={branding} />
        {isSandbox && <span className="purchase-badge text-xs">{t('checkout.sandbox')}</span>}
      </div>
      <div>
        <p className="text-sm text-muted">{plan}</p>
        {trial ? (
          <>
            <p className="heading text-xl text-balance">{trial}</p>
            <p className="text-sm text-muted">{t('checkout.afterTrial', { price })}</p>
          </>
        ) : (
          <p className="heading text-xl">{price}</p>
        )}
      </div>
      <ul className="grid gap-2 text-sm text-muted">
        {lines.map((line) => (
          <li key={line} className="flex items-center gap-3">
            <Check aria-hidden className="size-4 shrink-0 text-success" />
            {line}
          </li>
        ))}
      </ul>
    </aside>
  );
}

// The content security policy blocks images of other origins.
function toSameOriginUrl(path: string | null): string | null {
  if (path === null) return null;
  const { origin, href } = new URL(path, location.origin);
  return origin === location.origin ? href : null;
}

function Seller({ branding }: { branding: Branding | null }) {
  const icon = toSameOriginUrl(branding?.icon ?? null);
  return (
    <p className="flex min-w-0 flex-1 items-center gap-3 text-sm font-medium">
      {icon ? <img src={icon} alt="" className="size-8 rounded-sm" /> : <Logo />}
      <span className="truncate">{branding?.companyName ?? 'Escucho'}</span>
    </p>
  );
}
