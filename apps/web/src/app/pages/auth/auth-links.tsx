import { Mail } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { useConfig } from '#shared/config.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { addQuery, paths } from '#shared/paths.ts';

/** The link back to sign-in, which passes on the e-mail and `returnTo`. */
export function BackToSignIn() {
  const t = useT();
  const [query] = useSearchParams();
  const to = addQuery(paths.signIn, {
    email: query.get('email') ?? undefined,
    returnTo: query.get('returnTo') ?? undefined,
  });
  return (
    <Link to={to} className="link">
      {t('session.backToSignIn')}
    </Link>
  );
}

/** The link to the outbox page, where the embedded identity provider delivers its mail. */
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
