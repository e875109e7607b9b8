import { BookOpenText, Headphones, type LucideIcon, MapPinCheck } from 'lucide-react';
import { type Key, useT } from '../../../shared/i18n/i18n.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { EchoPicture } from '../../../shared/ui/pictures.tsx';

const features: readonly { icon: LucideIcon; text: Key }[] = [
  { icon: Headphones, text: 'subscription.featureAll' },
  { icon: BookOpenText, text: 'subscription.featureText' },
  { icon: MapPinCheck, text: 'subscription.featurePlace' },
];

/** What a subscription gives, and that none can be bought yet. */
export default function SubscribeOffer({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog title={t('subscription.headline')} hideTitle onClose={onClose}>
      <div className="text-accent">
        <EchoPicture />
      </div>
      <p aria-hidden className="mt-4 font-serif text-xl font-semibold tracking-tight text-balance">
        {t('subscription.headline')}
      </p>
      <p className="mt-2 text-sm text-muted text-pretty">{t('subscription.lead')}</p>
      <ul className="mt-5 grid gap-3">
        {features.map(({ icon: Icon, text }) => (
          <li key={text} className="flex items-center gap-3 text-sm">
            <span className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-text">
              <Icon aria-hidden className="size-4.5" />
            </span>
            {t(text)}
          </li>
        ))}
      </ul>
      <p className="mt-6 rounded-md bg-overlay px-4 py-3 text-xs text-muted text-pretty">
        {t('subscription.soon')}
      </p>
      <Button look="solid" onClick={onClose} className="mt-5 w-full">
        {t('subscription.close')}
      </Button>
    </Dialog>
  );
}
