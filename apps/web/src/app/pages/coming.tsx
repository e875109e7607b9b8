import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Key, useT } from '../../shared/i18n/i18n.ts';
import { paths } from '../../shared/paths.ts';
import { buttonLook } from '../../shared/ui/button.tsx';

interface Props {
  title: Key;
  text: Key;
  picture: ReactNode;
  children?: ReactNode;
}

/** A page that opens later: what will be here, and something to do meanwhile. */
export function Coming({ title, text, picture, children }: Props) {
  const t = useT();
  return (
    <div className="mx-auto grid max-w-xl justify-items-center py-8 text-center sm:py-16">
      <div className="text-accent-text">{picture}</div>
      <p className="mt-8 rounded-full bg-accent-soft px-3.5 py-1 text-xs font-semibold text-accent-text">
        {t('pages.soon')}
      </p>
      <h1 className="mt-4 font-serif text-2xl font-semibold tracking-tight text-balance">{t(title)}</h1>
      <p className="mt-3 text-muted text-pretty">{t(text)}</p>
      {children}
      <Link to={paths.discover} className={buttonLook('solid', 'mt-8')}>
        {t('pages.toHome')}
      </Link>
    </div>
  );
}
