import { Mail } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { useConfig } from '#shared/use-config.ts';

/** Where mail does not leave the machine: the way to the code. */
export function OutboxHint() {
  const t = useT();
  const outbox = useConfig()?.outbox;
  if (!outbox) return null;
  return (
    <p className="mt-5 flex gap-3 rounded-md border border-line px-4 py-3 text-sm text-muted">
      <Mail aria-hidden className="size-5 shrink-0 text-accent-text" />
      <span>
        {t('session.outboxText')}{' '}
        <a href={outbox} target="_blank" rel="noopener" className="link">
          {t('session.openOutbox')}
          <span className="sr-only"> {t('shell.newTab')}</span>
        </a>
      </span>
    </p>
  );
}
