import { limits } from '@escucho/contracts';
import { Search, X } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { searchDestination, termOf } from './search-rule.ts';

/** The header's search box (SHELL-04). On a phone it covers the header while it is used. */
export function SearchBox({ className, onLeave }: { className?: string; onLeave?: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [text, setText] = useState(() => termOf(pathname));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);

  const here = useRef(pathname);
  const own = useRef<string>(undefined);

  // Elsewhere the header is wanted again.
  const leave = useEffectEvent(() => onLeave?.());
  // An address that is not the box's own says what to show; its own comes while one may be typing on.
  useEffect(() => {
    const isElsewhere = here.current !== pathname && termOf(pathname) === '';
    here.current = pathname;
    if (pathname === own.current) return;
    clearTimeout(timer.current);
    setText((shown) => (shown.trim() === termOf(pathname) ? shown : termOf(pathname)));
    if (isElsewhere) leave();
  }, [pathname]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const go = (wanted: string) => {
    clearTimeout(timer.current);
    const destination = searchDestination(wanted, here.current);
    own.current = destination ?? undefined;
    if (destination) void navigate(destination, { replace: termOf(here.current) !== '' });
  };
  const typed = (wanted: string) => {
    setText(wanted);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => go(wanted), limits.search.debounce);
  };
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    go(text);
  };
  // The cross first empties the box; on a phone, an empty box closes.
  const crossed = () => {
    if (text === '') return onLeave?.();
    setText('');
    go('');
    input.current?.focus();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not yet known to every tool that reads pages
    <form role="search" onSubmit={submitted} className={cn('relative', className)}>
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
        // biome-ignore lint/a11y/noAutofocus: on a phone the reader has just pressed the button that opens it
        autoFocus={Boolean(onLeave)}
        onChange={(event) => typed(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && crossed()}
        className="h-11 w-full appearance-none rounded-full border border-line bg-surface pr-11 pl-11 text-sm transition-colors placeholder:text-muted hover:border-line-strong [&::-webkit-search-cancel-button]:hidden"
      />
      {(text !== '' || onLeave) && (
        <button
          type="button"
          aria-label={t(text === '' ? 'common.close' : 'shell.clearSearch')}
          onClick={crossed}
          className="absolute top-0 right-0 grid size-11 place-items-center rounded-full text-muted hover:text-ink"
        >
          <X className="size-4" />
        </button>
      )}
    </form>
  );
}
