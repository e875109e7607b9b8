import { type ReactNode, useEffect } from 'react';
import { abandonActions, useReauthenticationRequest } from '#features/session/reauthentication.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { NavigationLink } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { LegalLinks } from '../../shell/notices.tsx';

const ReauthenticationDialog = lazyComponent(
  async () =>
    (await import('#features/session/components/security/reauthentication-dialog.tsx'))
      .ReauthenticationDialog,
  'auth',
  'security',
  'settings',
);

/** Scrolls the tabs, which may not fit a phone with large text. */
const showCurrentTab = (tabs: HTMLElement | null) =>
  tabs?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** The settings with their tabs; support is not available yet (SUB-07). */
export function SettingsLayout({ children }: { children: ReactNode }) {
  const t = useT();
  const tabs = [
    { to: paths.settingsProfile, label: t('pages.profile') },
    { to: paths.settingsSecurity, label: t('pages.security') },
    { to: paths.settingsSubscription, label: t('pages.subscription') },
  ];
  return (
    <div className="max-w-3xl">
      <h1 className="heading text-2xl">{t('shell.settings')}</h1>
      <nav
        ref={showCurrentTab}
        aria-label={t('shell.settings')}
        className="mt-6 mb-8 flex gap-1 overflow-x-auto border-b border-line text-sm [scrollbar-width:none]"
      >
        {tabs.map(({ to, label }) => (
          <NavigationLink key={to} to={to} className="tab">
            {label}
          </NavigationLink>
        ))}
        {/* biome-ignore lint/a11y/useFocusableInteractive: a disabled link takes no focus */}
        {/* biome-ignore lint/a11y/useSemanticElements: an <a> without href is not a link */}
        <span role="link" aria-disabled="true" className="tab opacity-50">
          {t('pages.support')}
        </span>
      </nav>
      {children}
      <LegalLinks className="mt-10 border-t border-line pt-2" />
      <ReauthenticationPrompt />
    </div>
  );
}

/** Shows the dialog “Confirm it is you” while an action waits for it. Leaving the settings abandons the action. */
function ReauthenticationPrompt() {
  const request = useReauthenticationRequest(({ request }) => request);
  useEffect(() => abandonActions, []);
  return (
    <LazyBoundary onFailed={request?.cancel}>
      {request && <ReauthenticationDialog onConfirmed={request.confirm} onCancel={request.cancel} />}
    </LazyBoundary>
  );
}
