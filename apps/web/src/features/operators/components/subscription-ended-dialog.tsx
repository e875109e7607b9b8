import { operatorNames, type Platform } from '@escucho/contracts';
import { useConfig } from '#shared/config.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { buttonClassName } from '#shared/ui/button.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';

/** Leads an operator's user to the operator, in place of the subscribe modal (PLAY-04). */
export function SubscriptionEndedDialog({ platform, onClose }: { platform: Platform; onClose: () => void }) {
  const t = useT();
  const operator = operatorNames[platform];
  const page = useConfig()?.operators.find((one) => one.platform === platform)?.page;
  return (
    <Dialog title={t('operator.ended')} onClose={onClose}>
      <p className="text-muted text-pretty">{t('operator.needed', { operator })}</p>
      {page && (
        <a href={page} className={buttonClassName('solid', 'mt-6 w-full')}>
          {t('operator.toOperator', { operator })}
        </a>
      )}
    </Dialog>
  );
}
