import { Link } from 'wouter';
import { usePageTitle } from '#shared/document.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { buttonClassName } from '#shared/ui/button.tsx';

const NotFoundIllustration = () => (
  <svg
    viewBox="0 0 240 160"
    width="240"
    height="160"
    aria-hidden="true"
    fill="currentColor"
    className="max-w-full"
  >
    <g fill="none" stroke="currentColor" strokeWidth="4" strokeLinecap="round">
      <path d="M10 84c18-50 34-50 46 0s26 52 40 6 22-34 30-8" />
      <path d="M140 80h6M160 80h5M179 80h4M196 80h3M212 80h2" opacity="0.5" />
    </g>
    <circle cx="228" cy="80" r="3" opacity="0.5" />
  </svg>
);

/** The content for an unknown URL, with a link home (SHELL-11). */
export function NotFound() {
  const t = useT();
  return (
    <div className="mx-auto grid max-w-xl justify-items-center py-16 text-center">
      <div className="text-accent-text">
        <NotFoundIllustration />
      </div>
      <h1 className="mt-8 heading text-2xl text-balance">{t('pages.notFoundTitle')}</h1>
      <p className="mt-3 text-muted text-pretty">{t('pages.notFoundText')}</p>
      <Link to={paths.discover} className={buttonClassName('solid', 'mt-8')}>
        {t('pages.toHome')}
      </Link>
    </div>
  );
}

/** The page for unknown URLs outside all layouts. */
export function NotFoundPage() {
  const t = useT();
  usePageTitle(t('pages.notFoundTitle'));
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <NotFound />
    </main>
  );
}
