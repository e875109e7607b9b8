import { QueryClientProvider } from '@tanstack/react-query';
import { AudioLines, BookOpenText, Languages, MonitorSmartphone, Repeat2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useSession } from '#features/session/session.ts';
import { LanguageChoice, NewestCovers, SampleCard } from '#features/welcome/components/showcase.tsx';
import { createQueryClient } from '#shared/api/query-client.ts';
import type { Language } from '#shared/choices.ts';
import { useConfig } from '#shared/config.ts';
import { usePageTitle } from '#shared/document.ts';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { paths } from '#shared/paths.ts';
import { buttonClassName } from '#shared/ui/button.tsx';
import { LanguageSwitch } from '#shared/ui/language-switch.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { Wordmark } from '#shared/ui/logo.tsx';
import { usePageFocus } from '../shell/focus-and-scroll.ts';
import { ListeningArt } from '../shell/listening-art.tsx';
import { DemoNotice, LegalLinks, OfflineBanner } from '../shell/notices.tsx';

const PlanList = lazyComponent(
  async () => (await import('#features/subscription/components/plan-list.tsx')).PlanList,
  'subscription',
);

/** `/welcome`: what Escucho is, with a sample to listen to, for visitors without an account. */
export function WelcomePage() {
  const t = useT();
  const main = usePageFocus();
  const language = useLanguage();
  const [client] = useState(createQueryClient);
  const [chosen, setChosen] = useState<Language | null>(null);
  // Visitors mostly learn the language that their browser does not speak.
  const listened = chosen ?? (language === 'en' ? 'es' : 'en');
  usePageTitle(t('welcome.metaTitle'));
  return (
    <QueryClientProvider client={client}>
      <a href="#main" className="skip-link">
        {t('shell.skip')}
      </a>
      <div className="backdrop">
        <div className="absolute inset-x-0 top-40 h-dvh [mask-image:linear-gradient(transparent,black_30%,black_60%,transparent)]">
          <ListeningArt />
        </div>
        <div className="relative">
          <DemoNotice />
          <OfflineBanner />
          <header className="mx-auto flex w-full max-w-6xl items-center gap-3 p-4 sm:px-8 sm:py-6">
            <Wordmark className="mr-auto" />
            <LanguageSwitch />
            <EntryLink className="max-sm:hidden" />
          </header>
        </div>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="relative mx-auto w-full max-w-6xl px-4 pt-4 outline-none sm:px-8"
        >
          <div className="grid grid-cols-1 items-center gap-10 lg:min-h-[calc(100dvh-10rem)] lg:grid-cols-2 lg:gap-16">
            <div>
              <h1 className="heading text-2xl text-balance">{t('welcome.title')}</h1>
              <p className="mt-5 max-w-xl text-lg text-muted text-pretty">{t('welcome.lead')}</p>
              <Entry className="mt-8" />
            </div>
            <div className="grid grid-cols-1 gap-4">
              <LanguageChoice language={listened} onChange={setChosen} />
              <SampleCard language={listened} />
            </div>
          </div>
          <Reasons />
          <NewestCovers language={listened} />
          <Plans />
          <Entry className="mt-20" />
        </main>
        <footer className="relative mx-auto mt-20 w-full max-w-6xl border-t border-line px-4 py-2 sm:px-8">
          <LegalLinks />
        </footer>
      </div>
    </QueryClientProvider>
  );
}

/** The way into the app: to sign-in, or to Discover for a visitor who is signed in. */
function EntryLink({ className }: { className?: string }) {
  const t = useT();
  const isSignedIn = useSession().status === 'signed-in';
  return (
    <Link to={isSignedIn ? paths.discover : paths.signIn} className={buttonClassName('soft', className)}>
      {t(isSignedIn ? 'welcome.open' : 'welcome.signIn')}
    </Link>
  );
}

function Entry({ className }: { className: string }) {
  const t = useT();
  if (useSession().status === 'signed-in')
    return (
      <p className={className}>
        <Link to={paths.discover} className={buttonClassName('solid')}>
          {t('welcome.open')}
        </Link>
      </p>
    );
  return (
    <div className={className}>
      <p className="flex flex-wrap gap-3">
        <Link to={paths.signUp} className={buttonClassName('solid')}>
          {t('welcome.signUp')}
        </Link>
        <Link to={paths.signIn} className={buttonClassName('soft')}>
          {t('welcome.signIn')}
        </Link>
      </p>
      <p className="mt-3 text-sm text-muted">{t('welcome.free')}</p>
    </div>
  );
}

const reasons = [
  { name: 'level', Icon: AudioLines },
  { name: 'languages', Icon: Languages },
  { name: 'reading', Icon: BookOpenText },
  { name: 'practice', Icon: Repeat2 },
  { name: 'devices', Icon: MonitorSmartphone },
] as const;

/** The people Escucho is for, and how it helps. */
function Reasons() {
  const t = useT();
  return (
    <section className="mt-20 grid gap-10 lg:mt-24 lg:grid-cols-2 lg:gap-16">
      <div>
        <h2 className="heading text-xl text-balance">{t('welcome.whom')}</h2>
        <p className="mt-4 max-w-xl text-lg leading-relaxed text-muted text-pretty">
          {t('welcome.whomText')}
        </p>
      </div>
      <ul className="grid gap-6">
        {reasons.map(({ name, Icon }) => (
          <li key={name} className="flex gap-4">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-text" />
            <div>
              <h3 className="font-semibold">{t(`welcome.title_${name}`)}</h3>
              <p className="mt-1 text-muted text-pretty">{t(`welcome.text_${name}`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The plans, where the public configuration names a billing provider. What is so far down the page is rendered, and what it
 * needs is fetched, only for visitors who come within one height of the window. Not for links and buttons, which the Tab key
 * would pass over.
 */
function Plans() {
  const t = useT();
  const config = useConfig();
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '100% 0px' },
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place}>
      <LazyBoundary>
        {isNear && config?.billing && <PlanList title={t('welcome.plans')} text={t('welcome.plansText')} />}
      </LazyBoundary>
    </div>
  );
}
