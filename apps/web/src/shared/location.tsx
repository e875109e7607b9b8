import {
  type ComponentProps,
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
// biome-ignore lint/style/noRestrictedImports: decoded here
import { Link, Router, useParams } from 'wouter';
import { decodePathSegment } from './paths.ts';

/** An entry of the browser's history. */
export interface Location {
  /** Percent-encoded, as in the address. */
  pathname: string;
  search: string;
  hash: string;
  /** What `navigate` passed on to the page. */
  state: unknown;
  /** Identifies the entry, also after a reload. */
  key: string;
  /** How the entry was reached; `pop` by back, forward, a fragment, or as the first page of the document. */
  action: 'push' | 'replace' | 'pop';
}

interface NavigateOptions {
  /** Replaces the current entry of the history. */
  replace?: boolean;
  /** What the page reads as `state` of its location; a value that can be cloned. */
  state?: unknown;
}

/** Has an event after each `navigate`, for which the browser has none. */
const navigationEvents = new EventTarget();

const isRefused = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'SecurityError';

const createKey = () => Math.random().toString(36).slice(2);

/** Returns the current entry. It gets a key if the browser has made it: the first page, or the target of `href="#…"`. */
function readLocation(action: Location['action']): Location {
  if (!history.state?.key) history.replaceState({ key: createKey(), state: null }, '');
  const { pathname, search, hash } = window.location;
  const { key, state = null } = history.state;
  return { pathname, search, hash, state, key, action };
}

/**
 * Opens a URL of the app. The page changes as soon as its code is loaded. The current URL replaces its own entry.
 *
 * @param to a path with query and fragment
 */
export function navigate(to: string, { replace = false, state = null }: NavigateOptions = {}): void {
  const action =
    replace || new URL(to, window.location.href).href === window.location.href ? 'replace' : 'push';
  try {
    history[`${action}State`]({ key: createKey(), state }, '', to);
  } catch (error) {
    // Safari refuses the hundredth entry in half a minute.
    if (action === 'replace' || !isRefused(error)) throw error;
    window.location.assign(to);
    return;
  }
  navigationEvents.dispatchEvent(new Event(action));
}

const LocationContext = createContext<Location | null>(null);

/**
 * Returns the location of the page that is shown. While the next page is loading, it is still the previous one.
 *
 * @throws Error outside of a LocationProvider
 */
export function useLocation(): Location {
  const location = useContext(LocationContext);
  if (!location) throw new Error('useLocation needs a LocationProvider.');
  return location;
}

/** The location hook of wouter, which decodes the path: an encoded percent sign has to survive that. */
const usePath = (): [path: string, typeof navigate] => [
  useLocation().pathname.replaceAll('%', '%25'),
  navigate,
];

/** Shows a location, in place of that of an outer provider. */
export const LocationProvider = ({ location, children }: { location: Location; children: ReactNode }) => (
  <LocationContext value={location}>
    <Router hook={usePath}>{children}</Router>
  </LocationContext>
);

/** Returns the location of a page that is rendered without a browser. */
export const toStaticLocation = (pathname: string): Location => ({
  pathname,
  search: '',
  hash: '',
  state: null,
  key: 'static',
  action: 'pop',
});

/**
 * Follows the browser's history. Navigations are transitions: the page stays until the code of the next one has loaded.
 */
export function BrowserLocationProvider({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(() => readLocation('pop'));
  useLayoutEffect(() => {
    const show = (action: Location['action']) => startTransition(() => setLocation(readLocation(action)));
    const listeners = new AbortController();
    const { signal } = listeners;
    addEventListener('popstate', () => show('pop'), { signal });
    for (const action of ['push', 'replace'] as const)
      navigationEvents.addEventListener(action, () => show(action), { signal });
    return () => listeners.abort();
  }, []);
  return <LocationProvider location={location}>{children}</LocationProvider>;
}

/** Replaces the current entry of the history by another URL, each time that it is rendered for another entry. */
export function Redirect({ to }: { to: string }) {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: going back may lead to an entry that redirects to the same URL
  useEffect(() => navigate(to, { replace: true }), [to, key]);
  return null;
}

/**
 * Returns a parameter of the route, decoded by {@link decodePathSegment}.
 *
 * @param name e.g. `arg` of `/playlist/:arg`
 * @returns undefined where the path does not have it
 */
export function usePathParam(name: string): string | undefined {
  const value = useParams()[name];
  return value && decodePathSegment(value);
}

/** Sets query parameters; an empty value removes one. */
type SetParams = (values: Record<string, string>) => void;

/**
 * Returns the query parameters of the URL, and a function that changes them without adding a history entry. It does nothing
 * once another page was opened, whose code may still be loading.
 */
export function useQueryParams(): [query: URLSearchParams, setParams: SetParams] {
  const { pathname, search } = useLocation();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const setParams = useCallback<SetParams>(
    (values) => {
      if (window.location.pathname !== pathname) return;
      // The address itself: the rendered query may be older, while a change of the page is under way.
      const current = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(values)) {
        if (value) current.set(name, value);
        else current.delete(name);
      }
      navigate(current.size > 0 ? `${pathname}?${current}` : pathname, { replace: true });
    },
    [pathname],
  );
  return [query, setParams];
}

/** A link of a navigation, which is the current one on its page and the pages below. */
export function NavigationLink({ to, ...props }: Omit<ComponentProps<'a'>, 'href'> & { to: string }) {
  const { pathname } = useLocation();
  const isCurrent = `${pathname}/`.toLowerCase().startsWith(`${to}/`);
  return <Link to={to} aria-current={isCurrent ? 'page' : undefined} {...props} />;
}
