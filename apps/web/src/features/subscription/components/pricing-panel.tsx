import type { Branding, Package } from '@escucho/purchases';
import { Check } from 'lucide-react';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Logo } from '#shared/ui/logo.tsx';
import { priceText } from '../model/amounts.ts';
import { planName, renewalText, trialText } from '../model/period-words.ts';

interface Props {
  pack: Package;
  /** Null until it has come, or when it does not. */
  branding: Branding | null;
  isSandbox: boolean;
}

/** What is bought, at which price, and how it goes on (BUY-05); who sells it above. */
export function PricingPanel({ pack: { product }, branding, isSandbox }: Props) {
  const t = useT();
  const language = useLanguage();
  const { base, trial } = product.defaultOption;
  const price = priceText(base.price, language);
  const lines = [
    base.period && renewalText(base.period, language, t),
    t('checkout.continues'),
    t('checkout.cancel'),
  ].filter((line) => line !== null);
  return (
    <aside aria-label={t('checkout.details')} className="purchase-panel">
      <div className="flex items-center gap-3">
        <Seller branding={branding} />
        {isSandbox && <span className="purchase-badge text-xs">{t('checkout.sandbox')}</span>}
      </div>
      <div>
        <p className="text-sm text-muted">{planName(base.period, product.title, t)}</p>
        {trial?.period ? (
          <>
            <p className="font-serif text-xl font-semibold tracking-tight text-balance">
              {trialText(trial.period, t)}
            </p>
            <p className="text-sm text-muted">{t('checkout.afterTrial', { price })}</p>
          </>
        ) : (
          <p className="font-serif text-xl font-semibold tracking-tight">{price}</p>
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

/** Only pictures of our own origin are shown: the page's policy lets no other in. */
function ownPicture(path: string | null): string | null {
  if (path === null) return null;
  const { origin, href } = new URL(path, location.origin);
  return origin === location.origin ? href : null;
}

function Seller({ branding }: { branding: Branding | null }) {
  const icon = ownPicture(branding?.icon ?? null);
  return (
    <p className="flex min-w-0 flex-1 items-center gap-3 text-sm font-medium">
      {icon ? <img src={icon} alt="" className="size-8 rounded-sm" /> : <Logo />}
      <span className="truncate">{branding?.companyName ?? 'Escucho'}</span>
    </p>
  );
}
