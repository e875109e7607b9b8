import { Link } from 'wouter';
import { OperatorTerms } from '#features/operators/components/operator-plan.tsx';
import { useSession } from '#features/session/session.ts';
import { useConfig } from '#shared/config.ts';
import { usePageTitle } from '#shared/document.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { LanguageSwitch } from '#shared/ui/language-switch.tsx';
import { Wordmark } from '#shared/ui/logo.tsx';
import { usePageFocus } from '../shell/focus-and-scroll.ts';
import { LegalLinks } from '../shell/notices.tsx';
import { NotFound } from './not-found.tsx';

const sections = {
  terms: ['service', 'payment', 'renewal', 'refund', 'use', 'changes', 'questions'],
  privacy: ['stored', 'reason', 'card', 'others', 'device', 'control', 'questions'],
} as const;

/** `/terms` and `/privacy`: for everybody, also before signing up; `/tyc` has the terms of a mobile operator. */
export function LegalPage({ kind }: { kind: keyof typeof sections }) {
  const t = useT();
  const main = usePageFocus();
  const title = t(kind === 'terms' ? 'shell.termsOfUse' : 'shell.privacy');
  usePageTitle(title);
  const email = useConfig()?.supportEmail ?? '';
  return (
    <div className="mx-auto max-w-[46rem] px-4 pb-16">
      <header className="flex items-center justify-between py-4 sm:py-6">
        <Link to={paths.discover} aria-label={t('shell.home')} className="rounded-md">
          <Wordmark />
        </Link>
        <LanguageSwitch />
      </header>
      <main ref={main} id="main" tabIndex={-1} className="outline-none">
        <h1 className="heading text-2xl">{title}</h1>
        <p className="mt-4 font-serif text-lg leading-relaxed text-muted text-pretty">
          {t(kind === 'terms' ? 'legal.lead' : 'legal.privacyLead')}
        </p>
        {sections[kind].map((section) => (
          <section key={section} className="mt-8">
            <h2 className="heading text-lg">{t(`legal.title_${section}`)}</h2>
            <p className="mt-2 font-serif leading-relaxed text-pretty wrap-anywhere">
              {t(`legal.text_${section}`, { email })}
            </p>
          </section>
        ))}
      </main>
      <footer className="mt-10 border-t border-line pt-2">
        <LegalLinks />
      </footer>
    </div>
  );
}

/** The terms of a mobile operator, for its users only; others see the not-found page (EXT-07). */
export function TermsPage() {
  const { user } = useSession();
  // In the skeleton.
  if (!user) return null;
  return user.platform ? <OperatorTerms platform={user.platform} /> : <NotFound />;
}
