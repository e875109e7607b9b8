import { Fragment, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '../shared/lazy.ts';
import { Redirect, useLocation } from '../shared/location.tsx';
import { paths } from '../shared/paths.ts';
import { Spinner } from '../shared/ui/button.tsx';
import { getSignInUrl, guardedPatterns, guardedRoutes } from './auth-redirects.ts';

const MainLayout = lazyComponent(async () => (await import('./layouts/main-layout.tsx')).MainLayout);
const AuthLayout = lazyComponent(async () => (await import('./layouts/auth-layout.tsx')).AuthLayout, 'auth');
const Discover = lazyComponent(async () => (await import('./pages/discover.tsx')).DiscoverPage);
const Playlist = lazyComponent(async () => (await import('./pages/playlist.tsx')).PlaylistPage, 'library');
const Articles = lazyComponent(async () => (await import('./pages/articles.tsx')).ArticlesPage, 'articles');
const Library = lazyComponent(async () => (await import('./pages/library.tsx')).LibraryPage, 'library');
const Bookmarks = lazyComponent(
  async () => (await import('./pages/bookmarks.tsx')).BookmarksPage,
  'library',
  'player',
);
const VisualBook = lazyComponent(
  async () => (await import('./pages/visual-book.tsx')).VisualBookPage,
  'articles',
);
const Settings = lazyComponent(
  async () => (await import('./pages/settings/settings-layout.tsx')).SettingsLayout,
  'auth',
);
const Profile = lazyComponent(
  async () => (await import('./pages/settings/profile.tsx')).ProfilePage,
  'auth',
  'settings',
);
const Security = lazyComponent(
  async () => (await import('./pages/settings/security.tsx')).SecurityPage,
  'auth',
  'settings',
  'security',
);
const Subscription = lazyComponent(
  async () => (await import('./pages/settings/subscription.tsx')).SubscriptionPage,
  'subscription',
);
const SignIn = lazyComponent(async () => (await import('./pages/auth/sign-in.tsx')).SignInPage, 'auth');
const SignUp = lazyComponent(async () => (await import('./pages/auth/sign-up.tsx')).SignUpPage, 'auth');
const loadCodes = () => import('./pages/auth/codes.tsx');
const ConfirmAccount = lazyComponent(async () => (await loadCodes()).ConfirmAccountPage, 'auth');
const ForgotPassword = lazyComponent(async () => (await loadCodes()).ForgotPasswordPage, 'auth');
const ResetPassword = lazyComponent(async () => (await loadCodes()).ResetPasswordPage, 'auth');
const OperatorLink = lazyComponent(
  async () => (await import('./pages/auth/operator-link.tsx')).OperatorLinkPage,
  'operators',
);
const loadLegal = () => import('./pages/legal.tsx');
const Legal = lazyComponent(async () => (await loadLegal()).LegalPage, 'legal');
const Terms = lazyComponent(async () => (await loadLegal()).TermsPage, 'auth', 'operators');
const Welcome = lazyComponent(async () => (await import('./pages/welcome.tsx')).WelcomePage, 'welcome');
const NotFound = lazyComponent(async () => (await import('./pages/not-found.tsx')).NotFoundPage, 'auth');

/** Shows the page to signed-in users and redirects all others to sign-in (ROUTE-03). */
function Guard({ children }: { children: ReactNode }) {
  const t = useT();
  const location = useLocation();
  const { status, user } = useSession();
  // Another user gets pages of their own: mounted ones keep the data that they have queried.
  if (status === 'signed-in') return <Fragment key={user?._id}>{children}</Fragment>;
  if (status === 'signed-out') return <Redirect to={getSignInUrl(location)} />;
  return (
    <div role="status" className="grid min-h-dvh place-content-center justify-items-center gap-4 text-muted">
      <Spinner className="size-6 text-accent-text" />
      {t('common.loading')}
    </div>
  );
}

/** Redirects to another page with the query, e.g. /auth?returnTo=… to /auth/sign-in?returnTo=… */
const RedirectWithQuery = ({ to }: { to: string }) => <Redirect to={to + useLocation().search} />;

const SettingsPages = () => (
  <Settings>
    <Switch>
      <Route path={guardedRoutes.settingsProfile} component={Profile} />
      <Route path={guardedRoutes.settingsSecurity} component={Security} />
      <Route path={guardedRoutes.settingsSubscription} component={Subscription} />
      <Route>
        <RedirectWithQuery to={paths.settingsProfile} />
      </Route>
    </Switch>
  </Settings>
);

/** The pages for signed-in users. */
export const GuardedPages = () => (
  <Switch>
    <Route path={guardedRoutes.discover} component={Discover} />
    <Route path={guardedRoutes.playlist} component={Playlist} />
    <Route path={guardedRoutes.articles} component={Articles} />
    <Route path={guardedRoutes.library} component={Library} />
    <Route path={guardedRoutes.bookmarks} component={Bookmarks} />
    <Route path={guardedRoutes.visualBook} component={VisualBook} />
    <Route path={guardedRoutes.terms} component={Terms} />
    <Route path={`${guardedRoutes.settings}/*?`} component={SettingsPages} />
  </Switch>
);

/** The pages for visitors, which redirect signed-in users. */
const authPages = [
  [paths.signIn, SignIn],
  [paths.signUp, SignUp],
  [paths.confirmAccount, ConfirmAccount],
  [paths.forgotPassword, ForgotPassword],
  [paths.resetPassword, ResetPassword],
  [paths.authExternal, OperatorLink],
] as const;

const AuthPages = () => (
  <AuthLayout>
    <Switch>
      {authPages.map(([path, component]) => (
        <Route key={path} path={path} component={component} />
      ))}
      <Route>
        <RedirectWithQuery to={paths.signIn} />
      </Route>
    </Switch>
  </AuthLayout>
);

const authPaths = [paths.auth, paths.signOut, ...authPages.map(([path]) => path)];
const authPattern = new RegExp(`^(${authPaths.join('|')})/?$`, 'i');

const guardedPattern = new RegExp(guardedPatterns.map(({ source }) => source).join('|'), 'i');

/** The routes of section 2 (ROUTE-02). Paths match in any case: /Discover shows Discover. */
export const Routes = () => (
  <Switch>
    <Route path={paths.home}>
      <Redirect to={paths.discover} />
    </Route>
    <Route path={authPattern} component={AuthPages} />
    <Route path={guardedPattern}>
      <Guard>
        <MainLayout>
          <GuardedPages />
        </MainLayout>
      </Guard>
    </Route>
    <Route path={paths.welcome} component={Welcome} />
    <Route path={paths.termsOfUse}>
      <Legal key="terms" kind="terms" />
    </Route>
    <Route path={paths.privacy}>
      <Legal key="privacy" kind="privacy" />
    </Route>
    <Route component={NotFound} />
  </Switch>
);
