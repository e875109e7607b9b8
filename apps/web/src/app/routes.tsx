import type { ComponentType } from 'react';
import { Navigate, type RouteObject, useLocation } from 'react-router';
import { needWords, type WordSet } from '../shared/i18n/i18n.ts';
import { part } from '../shared/part.ts';
import { paths } from '../shared/paths.ts';
import { Guard } from './layouts/guard.tsx';

/** A page whose words come with it; those of most are in `more`. */
const page = (load: () => Promise<ComponentType>, ...sets: WordSet[]) =>
  part(async () => {
    const wanted: WordSet[] = sets.length > 0 ? sets : ['more'];
    const [component] = await Promise.all([load(), ...wanted.map(needWords)]);
    return component;
  });

const MainLayout = part(async () => (await import('./layouts/main-layout.tsx')).MainLayout);
const AuthLayout = page(async () => (await import('./layouts/auth-layout.tsx')).AuthLayout);
const Discover = part(async () => (await import('./pages/discover.tsx')).DiscoverPage);
const Playlist = page(async () => (await import('./pages/playlist.tsx')).PlaylistPage, 'corner');
const Articles = page(async () => (await import('./pages/articles.tsx')).ArticlesPage, 'reading');
const Library = page(async () => (await import('./pages/library.tsx')).LibraryPage, 'corner');
const VisualBook = page(async () => (await import('./pages/visual-book.tsx')).VisualBookPage, 'reading');
const Terms = page(async () => (await import('./pages/terms.tsx')).TermsPage, 'more', 'operators');
const Settings = page(async () => (await import('./pages/settings/settings-layout.tsx')).SettingsLayout);
const Profile = page(
  async () => (await import('./pages/settings/profile.tsx')).ProfilePage,
  'more',
  'settings',
);
const Subscription = page(
  async () => (await import('./pages/settings/subscription.tsx')).SubscriptionPage,
  'purchase',
);
const SignIn = page(async () => (await import('./pages/auth/sign-in.tsx')).SignInPage);
const SignUp = page(async () => (await import('./pages/auth/sign-up.tsx')).SignUpPage);
const ConfirmAccount = page(
  async () => (await import('./pages/auth/confirm-account.tsx')).ConfirmAccountPage,
);
const ForgotPassword = page(
  async () => (await import('./pages/auth/forgot-password.tsx')).ForgotPasswordPage,
);
const ResetPassword = page(async () => (await import('./pages/auth/reset-password.tsx')).ResetPasswordPage);
const AuthExternal = page(
  async () => (await import('./pages/auth-external.tsx')).AuthExternalPage,
  'operators',
);
const NotFound = page(async () => (await import('./pages/not-found.tsx')).NotFoundPage);

/** On to another page with the query, e.g. /auth?returnTo=… to /auth/sign-in?returnTo=… */
const Onward = ({ to }: { to: string }) => <Navigate to={to + useLocation().search} replace />;

const guarded: RouteObject[] = [
  { path: '/discover', element: <Discover /> },
  { path: '/playlist/:arg', element: <Playlist /> },
  { path: '/articles/:resource/:arg?', element: <Articles /> },
  { path: '/library', element: <Library /> },
  { path: '/visual-book/:id?', element: <VisualBook /> },
  { path: '/tyc', element: <Terms /> },
  {
    path: '/settings',
    element: <Settings />,
    children: [
      { index: true, element: <Onward to={paths.settingsProfile} /> },
      { path: 'profile', element: <Profile /> },
      { path: 'subscription', element: <Subscription /> },
    ],
  },
];

const auth: RouteObject[] = [
  { index: true, element: <Onward to={paths.signIn} /> },
  { path: 'sign-out', element: <Onward to={paths.signIn} /> },
  { path: 'sign-in', element: <SignIn /> },
  { path: 'sign-up', element: <SignUp /> },
  { path: 'confirm-account', element: <ConfirmAccount /> },
  { path: 'forgot-password', element: <ForgotPassword /> },
  { path: 'reset-password', element: <ResetPassword /> },
];

/** Every route of section 2 (ROUTE-02). Paths match in any case: /Discover shows Discover. */
export const routes: RouteObject[] = [
  { path: '/', element: <Navigate to={paths.discover} replace /> },
  { path: '/auth', element: <AuthLayout />, children: auth },
  { element: <AuthLayout />, children: [{ path: '/auth-external', element: <AuthExternal /> }] },
  { element: <Guard />, children: [{ element: <MainLayout />, children: guarded }] },
  { path: '*', element: <NotFound /> },
];
