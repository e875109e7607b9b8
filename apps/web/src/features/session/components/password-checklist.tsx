import { passwordRules } from '@escucho/contracts';
import { Check, Circle } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';

/** What a new password still needs, line by line, as it is typed (AUTH-03). */
export function PasswordChecklist({ password }: { password: string }) {
  const t = useT();
  return (
    <ul aria-label={t('session.passwordRules')} className="grid gap-1 text-sm">
      {passwordRules.map(({ message, holds }) => {
        const met = holds(password);
        return (
          <li key={message} className={cn('flex items-center gap-2', met ? 'text-success' : 'text-muted')}>
            {met ? <Check aria-hidden className="size-4" /> : <Circle aria-hidden className="size-4 p-0.5" />}
            <span className="sr-only">{t(met ? 'session.ruleMet' : 'session.ruleOpen')}</span>
            <span>{t(message)}</span>
          </li>
        );
      })}
    </ul>
  );
}
