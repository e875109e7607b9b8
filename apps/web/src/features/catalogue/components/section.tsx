import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { ActionIcon } from '#shared/ui/cover.tsx';

interface Props {
  title: string;
  /** The key of the first item. A list at its start stays there when another item is inserted in front. */
  firstKey: string;
  /** How many items fit the screen: `covers` 2 to 8, `cards` 1 to 3. */
  itemSize: 'covers' | 'cards';
  children: ReactNode;
}

/** The classes of the list, by the size of its items. */
export const columns = {
  covers:
    'auto-cols-[round(down,(100%-1rem)/2.2,1px)] sm:auto-cols-[round(down,(100%-3rem)/3.4,1px)] lg:auto-cols-[round(down,(100%-4rem)/5,1px)] xl:auto-cols-[round(down,(100%-5rem)/6,1px)] 2xl:auto-cols-[round(down,(100%-7rem)/8,1px)]',
  cards:
    'auto-cols-[88%] max-[22rem]:auto-cols-[100%] sm:auto-cols-[calc((100%-1rem)/2)] xl:auto-cols-[calc((100%-2rem)/3)]',
} as const;

/** Returns the list's ref and whether it can scroll to either side; keeps a list at its start there. */
function useScrollState(firstKey: string) {
  const list = useRef<HTMLUListElement>(null);
  const isAtStart = useRef(true);
  const [canScroll, setCanScroll] = useState({ back: false, forward: false });

  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const update = () => {
      const back = box.scrollLeft > 4;
      const forward = box.scrollLeft + box.clientWidth < box.scrollWidth - 4;
      isAtStart.current = !back;
      setCanScroll((now) => (now.back === back && now.forward === forward ? now : { back, forward }));
    };
    // The observer's first call is after layout; measuring here would force a second one.
    const observer = new ResizeObserver(update);
    observer.observe(box);
    box.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', update);
    };
  }, []);

  // Scroll snapping stays at its item when another one is inserted in front.
  useLayoutEffect(() => {
    if (!firstKey || !isAtStart.current) return;
    const frame = requestAnimationFrame(() => {
      if (list.current) list.current.scrollLeft = 0;
    });
    return () => cancelAnimationFrame(frame);
  }, [firstKey]);
  return { list, canScroll };
}

/** Moves the focus to the first button of the previous or next item by the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const { target } = event;
  // React's events also bubble from the menus of the items, which are not in it.
  if (step === 0 || !(target instanceof Element) || !event.currentTarget.contains(target)) return;
  const items = [...event.currentTarget.children];
  const next = items[items.findIndex((item) => item.contains(target)) + step];
  event.preventDefault();
  next?.querySelector('button')?.focus();
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** A titled row that scrolls sideways by swipes, buttons and arrow keys. */
export function Section({ title, firstKey, itemSize, children }: Props) {
  const t = useT();
  const id = useId();
  const { list, canScroll } = useScrollState(firstKey);
  const scroll = (direction: 1 | -1) => () =>
    list.current?.scrollBy({ left: direction * list.current.clientWidth * 0.9, behavior: 'smooth' });
  return (
    <section aria-labelledby={id} className="-mx-4 px-4 sm:-mx-8 sm:px-8">
      <div className="mb-2 flex min-h-11 items-center justify-between gap-4">
        <h2 id={id} className="min-w-0 heading text-lg">
          {title}
        </h2>
        <div
          className={clsx(
            'hidden gap-1 pointer-fine:flex',
            !canScroll.back && !canScroll.forward && 'invisible',
          )}
        >
          <IconButton
            label={t('discover.scrollBack', { name: title })}
            aria-disabled={!canScroll.back}
            onClick={scroll(-1)}
          >
            <ChevronLeft />
          </IconButton>
          <IconButton
            label={t('discover.scrollForward', { name: title })}
            aria-disabled={!canScroll.forward}
            onClick={scroll(1)}
          >
            <ChevronRight />
          </IconButton>
        </div>
      </div>
      <ul
        ref={list}
        onKeyDown={moveFocus}
        className={clsx(
          '-mx-4 grid snap-x snap-mandatory scroll-px-4 auto-rows-fr grid-flow-col gap-4 overflow-x-auto px-4 py-1.5 sm:-mx-8 sm:scroll-px-8 sm:px-8',
          '[scrollbar-width:none]',
          columns[itemSize],
        )}
      >
        {children}
      </ul>
    </section>
  );
}

interface BadgeProps {
  action: ComponentProps<typeof ActionIcon>['action'];
  className?: string;
}

/** The round icon on a cover that shows what a press does; highlighted under the pointer and while playing. */
export const PlayBadge = ({ action, className }: BadgeProps) => (
  <span
    aria-hidden
    className={clsx(
      'grid size-10 place-items-center rounded-full shadow-pop transition',
      action === 'pause'
        ? 'bg-accent text-on-accent'
        : 'bg-surface/85 text-ink group-hover:bg-accent group-hover:text-on-accent',
      className,
    )}
  >
    <ActionIcon action={action} className="size-4" strokeWidth={action === 'lock' ? 2 : 1} />
  </span>
);

/** A progress bar for a ratio from 0 to 1 on the background of `className`; nothing for 0. */
export const ProgressBar = ({ ratio, className }: { ratio: number; className: string }) =>
  ratio > 0 ? (
    <span aria-hidden className={clsx('block h-1 overflow-hidden', className)}>
      <span className="block h-full origin-left bg-accent" style={{ transform: `scaleX(${ratio})` }} />
    </span>
  ) : null;
