import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Link, Route, Switch } from 'wouter';
import {
  BrowserLocationProvider,
  NavigationLink,
  navigate,
  Redirect,
  useLocation,
  usePathParam,
  useQueryParams,
} from './location.tsx';

/** What a page knows of its address. */
function Address() {
  const { action, state } = useLocation();
  const name = usePathParam('name');
  const [query, setParams] = useQueryParams();
  return (
    <>
      <p role="status">{JSON.stringify({ name, query: query.get('q'), action, state })}</p>
      <button type="button" onClick={() => setParams({ q: '100%' })}>
        Filter
      </button>
    </>
  );
}

const renderRoutes = () =>
  render(
    <BrowserLocationProvider>
      <nav>
        <Link to="/names/B%252FC">Next</Link>
        <NavigationLink to="/names">Names</NavigationLink>
      </nav>
      <Switch>
        <Route path="/names/:name" component={Address} />
        <Route path="/old">
          <Redirect to="/names/new" />
        </Route>
        <Route>Nothing here</Route>
      </Switch>
    </BrowserLocationProvider>,
  );

const getAddress = () => JSON.parse(screen.getByRole('status').textContent ?? '');

beforeEach(() => history.replaceState(null, '', '/names/A?q=a%2526b'));

it('decodes a parameter and the query once', async () => {
  renderRoutes();
  expect(getAddress()).toEqual({ name: 'A', query: 'a%26b', action: 'pop', state: null });
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(getAddress()).toEqual({ name: 'B%2FC', query: null, action: 'push', state: null });
});

it('a parameter that is no valid encoding is read as it stands', () => {
  history.replaceState(null, '', '/names/100%');
  renderRoutes();
  expect(getAddress()).toMatchObject({ name: '100%' });
});

it('goes back with the state that was passed on', async () => {
  renderRoutes();
  act(() => navigate('/names/B', { state: { notice: 'saved' } }));
  expect(getAddress()).toMatchObject({ name: 'B', state: { notice: 'saved' } });
  act(() => navigate('/names/C'));
  expect(getAddress()).toMatchObject({ name: 'C', state: null });
  history.back();
  await waitFor(() => expect(getAddress()).toMatchObject({ name: 'B', action: 'pop' }));
  expect(getAddress().state).toEqual({ notice: 'saved' });
});

it('a changed query and the current URL add no entry to the history', async () => {
  renderRoutes();
  const entries = history.length;
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
  expect(getAddress()).toMatchObject({ query: '100%', action: 'replace' });
  act(() => navigate('/names/A?q=100%25'));
  expect(getAddress()).toMatchObject({ query: '100%', action: 'replace' });
  expect(history).toHaveLength(entries);
});

it('follows a redirect of the first page', () => {
  history.replaceState(null, '', '/old');
  renderRoutes();
  expect(getAddress()).toMatchObject({ name: 'new', action: 'replace' });
});

it('marks the link of the current page and of the pages below', () => {
  renderRoutes();
  expect(screen.getByRole('link', { name: 'Names' })).toHaveAttribute('aria-current', 'page');
  act(() => navigate('/namesakes'));
  expect(screen.getByRole('link', { name: 'Names' })).not.toHaveAttribute('aria-current');
});

function Counter() {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {count}
    </button>
  );
}

/** Creates a page whose code loads once `load` is called. */
function createLazyPage() {
  let finish: (module: { default: () => string }) => void = () => undefined;
  const LazyPage = lazy(() => new Promise<{ default: () => string }>((resolve) => (finish = resolve)));
  return { LazyPage, load: () => act(async () => finish({ default: () => 'Lazy page' })) };
}

it('keeps the page until the code of the next one has loaded', async () => {
  const { LazyPage, load } = createLazyPage();
  render(
    <BrowserLocationProvider>
      <Switch>
        <Route path="/next" component={LazyPage} />
        <Route>First page</Route>
      </Switch>
    </BrowserLocationProvider>,
  );
  act(() => navigate('/next'));
  expect(screen.getByText('First page')).toBeInTheDocument();
  await load();
  expect(screen.getByText('Lazy page')).toBeInTheDocument();
});

it('a redirect keeps the page usable while code loads, and is repeated after going back', async () => {
  const { LazyPage, load } = createLazyPage();
  history.replaceState(null, '', '/first');
  history.pushState(null, '', '/second');
  render(
    <BrowserLocationProvider>
      <Counter />
      <Switch>
        <Route path="/next" component={LazyPage} />
        <Route>
          <Redirect to="/next" />
        </Route>
      </Switch>
    </BrowserLocationProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: '0' }));
  expect(screen.getByRole('button', { name: '1' })).toBeInTheDocument();
  const visited = new Promise<string>((resolve) =>
    addEventListener('popstate', () => resolve(location.pathname), { once: true }),
  );
  history.back();
  expect(await visited).toBe('/first');
  await waitFor(() => expect(location.pathname).toBe('/next'));
  await load();
  expect(screen.getByText('Lazy page')).toBeInTheDocument();
});

it('loads the URL as a document where the browser refuses another entry', () => {
  vi.spyOn(history, 'pushState').mockImplementation(() => {
    throw new DOMException('Too many calls', 'SecurityError');
  });
  const assign = vi.fn<(url: string) => void>();
  vi.stubGlobal('location', { href: location.href, assign });
  navigate('/names/B');
  expect(assign).toHaveBeenCalledWith('/names/B');
});
