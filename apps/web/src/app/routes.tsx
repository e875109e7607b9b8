import { Navigate, Outlet, type RouteObject, useLocation } from 'react-router';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '../shared/lazy.ts';
import { paths } from '../shared/paths.ts';
import { Spinner } from '../shared/ui/spinner.tsx';
import { getSignInUrl, guardedRoutes } from './auth-redirects.ts';

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
const Terms = lazyComponent(async () => (await import('./pages/terms.tsx')).TermsPage, 'auth', 'operators');
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
const ConfirmAccount = lazyComponent(
  async () => (await import('./pages/auth/confirm-account.tsx')).ConfirmAccountPage,
  'auth',
);
const ForgotPassword = lazyComponent(
  async () => (await import('./pages/auth/forgot-password.tsx')).ForgotPasswordPage,
  'auth',
);
const ResetPassword = lazyComponent(
  async () => (await import('./pages/auth/reset-password.tsx')).ResetPasswordPage,
  'auth',
);
const OperatorLink = lazyComponent(
  async () => (await import('./pages/auth/operator-link.tsx')).OperatorLinkPage,
  'operators',
);
const Legal = lazyComponent(async () => (await import('./pages/legal.tsx')).LegalPage, 'legal');
const Welcome = lazyComponent(async () => (await import('./pages/welcome.tsx')).WelcomePage, 'welcome');
const NotFound = lazyComponent(async () => (await import('./pages/not-found.tsx')).NotFoundPage, 'auth');

/** Shows the page to signed-in users and redirects all others to sign-in (ROUTE-03). */
function Guard() {
  const t = useT();
  const location = useLocation();
  const { status, user } = useSession();
  // Another user gets pages of their own: mounted ones keep the data that they have queried.
  if (status === 'signed-in') return <Outlet key={user?._id} />;
  if (status === 'signed-out') return <Navigate to={getSignInUrl(location)} replace />;
  return (
    <div role="status" className="grid min-h-dvh place-content-center justify-items-center gap-4 text-muted">
      <Spinner className="size-6 text-accent-text" />
      {t('common.loading')}
    </div>
  );
}

/** Redirects to another page with the query, e.g. /auth?returnTo=… to /auth/sign-in?returnTo=… */
const RedirectWithQuery = ({ to }: { to: string }) => <Navigate to={to + useLocation().search} replace />;

/** The pages for signed-in users. */
export const guardedPages: RouteObject[] = [
  { path: guardedRoutes.discover, element: <Discover /> },
  { path: guardedRoutes.playlist, element: <Playlist /> },
  { path: guardedRoutes.articles, element: <Articles /> },
  { path: guardedRoutes.library, element: <Library /> },
  { path: guardedRoutes.bookmarks, element: <Bookmarks /> },
  { path: guardedRoutes.visualBook, element: <VisualBook /> },
  { path: guardedRoutes.terms, element: <Terms /> },
  {
    path: guardedRoutes.settings,
    element: <Settings />,
    children: [
      { index: true, element: <RedirectWithQuery to={paths.settingsProfile} /> },
      { path: guardedRoutes.settingsProfile, element: <Profile /> },
      { path: guardedRoutes.settingsSecurity, element: <Security /> },
      { path: guardedRoutes.settingsSubscription, element: <Subscription /> },
    ],
  },
];

const auth: RouteObject[] = [
  { index: true, element: <RedirectWithQuery to={paths.signIn} /> },
  { path: 'sign-out', element: <RedirectWithQuery to={paths.signIn} /> },
  { path: 'sign-in', element: <SignIn /> },
  { path: 'sign-up', element: <SignUp /> },
  { path: 'confirm-account', element: <ConfirmAccount /> },
  { path: 'forgot-password', element: <ForgotPassword /> },
  { path: 'reset-password', element: <ResetPassword /> },
];

/** The routes of section 2 (ROUTE-02). Paths match in any case: /Discover shows Discover. */
export const routes: RouteObject[] = [
  { path: '/', element: <Navigate to={paths.discover} replace /> },
  { path: '/auth', element: <AuthLayout />, children: auth },
  { element: <AuthLayout />, children: [{ path: '/auth-external', element: <OperatorLink /> }] },
  { element: <Guard />, children: [{ element: <MainLayout />, children: guardedPages }] },
  { path: paths.welcome, element: <Welcome /> },
  { path: paths.termsOfUse, element: <Legal key="terms" kind="terms" /> },
  { path: paths.privacy, element: <Legal key="privacy" kind="privacy" /> },
  { path: '*', element: <NotFound /> },
];
