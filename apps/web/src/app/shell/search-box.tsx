import { limits, replaceControlCharacters, truncateText } from '@escucho/contracts';
import { clsx } from 'clsx';
import { Search, X } from 'lucide-react';
import { type SubmitEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useMediaQuery } from '#shared/document.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { navigate, useLocation } from '#shared/location.tsx';
import { decodePathSegment, paths } from '#shared/paths.ts';

const searchPath = /^\/articles\/search(?:\/([^/]*))?\/?$/i;

/** Returns a text as the server accepts it: one line, cut at its limit. */
export const toSearchTerm = (text: string): string =>
  replaceControlCharacters(truncateText(text, limits.search.maxLength));

/** Returns the search term of a pathname, or an empty string. */
export const getSearchTerm = (pathname: string): string =>
  toSearchTerm(decodePathSegment(searchPath.exec(pathname)?.[1] ?? ''));

/** Returns the URL to open for a text in the search box (SHELL-04), or null to stay on the current page. */
export function getSearchUrl(text: string, pathname: string): string | null {
  const term = toSearchTerm(text);
  // Browsers resolve a dot segment at the end of a path to its parent.
  if (term === '.' || term === '..') return null;
  if (term === '') return getSearchTerm(pathname) === '' ? null : paths.search;
  return term === getSearchTerm(pathname) ? null : paths.articles('search', term);
}

/**
 * The header's search box (SHELL-04).
 *
 * @param onLeave closes the box; on phones only, where it covers the header
 */
export function SearchBox({ className, onLeave }: { className?: string; onLeave?: () => void }) {
  const t = useT();
  const { pathname } = useLocation();
  const [text, setText] = useState(() => getSearchTerm(pathname));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);

  const currentPathname = useRef(pathname);
  const ownUrl = useRef<string>(undefined);

  const leave = useEffectEvent(() => onLeave?.());
  // Follows navigation by others. The box's own navigation must not overwrite what was typed since, also where the next one
  // is under way. In the layout phase, before a key can be pressed on the new page.
  useLayoutEffect(() => {
    const hasLeftSearch = currentPathname.current !== pathname && getSearchTerm(pathname) === '';
    currentPathname.current = pathname;
    if (pathname === ownUrl.current || ownUrl.current === location.pathname) return;
    // Going back to it is no navigation of the box.
    ownUrl.current = undefined;
    clearTimeout(timer.current);
    setText((shown) => (shown.trim() === getSearchTerm(pathname) ? shown : getSearchTerm(pathname)));
    if (hasLeftSearch) leave();
  }, [pathname]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const search = (value: string) => {
    clearTimeout(timer.current);
    // The address itself: the page of the previous search may still be loading.
    const { pathname: current } = location;
    const url = getSearchUrl(value, current);
    if (!url) return;
    ownUrl.current = url;
    navigate(url, { replace: getSearchTerm(current) !== '' });
  };
  const onChange = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(value), limits.search.debounce);
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    search(text);
  };
  // The first press clears the text; on phones, the next one closes the box.
  const clear = () => {
    if (text === '') return onLeave?.();
    setText('');
    search('');
    input.current?.focus();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: not every screen reader supports <search>
    <form role="search" onSubmit={onSubmit} className={clsx('relative', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-4 size-4.5 -translate-y-1/2 text-muted"
      />
      <input
        ref={input}
        type="search"
        aria-label={t('shell.search')}
        placeholder={t('shell.searchHint')}
        value={text}
        maxLength={limits.search.maxLength}
        enterKeyHint="search"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: on phones the user has just pressed the button that opens it
        autoFocus={Boolean(onLeave)}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && clear()}
        className="h-11 w-full appearance-none rounded-full border border-line bg-surface pr-11 pl-11 text-sm transition-colors placeholder:text-muted hover:border-line-strong [&::-webkit-search-cancel-button]:hidden"
      />
      {(text !== '' || onLeave) && (
        <button
          type="button"
          aria-label={t(text === '' ? 'common.close' : 'shell.clearSearch')}
          onClick={clear}
          className="absolute top-0 right-0 grid size-11 place-items-center rounded-full text-muted hover:text-ink"
        >
          <X className="size-4" />
        </button>
      )}
    </form>
  );
}

/** The search box of the search page on phones, whose header has only a button for one. */
export function PageSearchBox() {
  const { pathname } = useLocation();
  const isPhone = useMediaQuery('(width < 40rem)');
  if (!isPhone || !searchPath.test(pathname)) return null;
  return <SearchBox className="mb-6 sm:hidden [body:has(.shell-search)_&]:hidden" />;
}
