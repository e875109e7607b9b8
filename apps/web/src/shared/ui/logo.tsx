import { clsx } from 'clsx';

/** The logo: a sound wave in a circle. */
export const Logo = ({ className }: { className?: string }) => (
  <span className={clsx('mark block size-8 shrink-0', className)}>
    <svg viewBox="0 0 64 64" aria-hidden="true" fill="none" strokeWidth="6.6" strokeLinecap="round">
      <path d="M13.5 33c6-7 12-5 18.5 0s12.5 7 18.5 0A18.8 18.8 0 1 0 44.5 46" />
    </svg>
  </span>
);

/** The logo with the name. */
export const Wordmark = ({ className }: { className?: string }) => (
  <span className={clsx('flex items-center gap-2.5 heading text-lg', className)}>
    <Logo />
    Escucho
  </span>
);
