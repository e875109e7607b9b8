import { clsx } from 'clsx';
import { Link } from 'wouter';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';

/** The links to the terms of use and to the privacy notice. */
export function LegalLinks({ className }: { className?: string }) {
  const t = useT();
  return (
    <ul className={clsx('flex flex-wrap gap-x-5 text-sm', className)}>
      {[
        { to: paths.termsOfUse, text: t('shell.termsOfUse') },
        { to: paths.privacy, text: t('shell.privacy') },
      ].map(({ to, text }) => (
        <li key={to}>
          <Link to={to} className="link inline-flex min-h-11 items-center">
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
