import { ChevronLeft, ChevronRight } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';

interface Props {
  title: string;
  /** The first item's key. When another comes first, a reader who is at the start sees it. */
  first: string;
  /** How many items a screen shows: `covers` 2 to 8, `cards` 1 to 3. */
  size: 'covers' | 'cards';
  children: ReactNode;
}

const columns = {
  covers:
    'auto-cols-[calc((100%-1rem)/2.2)] sm:auto-cols-[calc((100%-3rem)/3.4)] lg:auto-cols-[calc((100%-4rem)/5)] xl:auto-cols-[calc((100%-5rem)/6)] 2xl:auto-cols-[calc((100%-7rem)/8)]',
  cards:
    'auto-cols-[88%] max-[22rem]:auto-cols-[100%] sm:auto-cols-[calc((100%-1rem)/2)] xl:auto-cols-[calc((100%-2rem)/3)]',
} as const;

/** Whether there is more to the left and to the right of what is seen; who is at the start stays there when another item comes first. */
function useEdges(first: string) {
  const list = useRef<HTMLUListElement>(null);
  const isAtStart = useRef(true);
  const [more, setMore] = useState({ before: false, after: false });

  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const look = () => {
      const before = box.scrollLeft > 4;
      const after = box.scrollLeft + box.clientWidth < box.scrollWidth - 4;
      isAtStart.current = !before;
      setMore((known) => (known.before === before && known.after === after ? known : { before, after }));
    };
    // Its first call comes when the page is laid out: asking before would lay it out twice.
    const observer = new ResizeObserver(look);
    observer.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);

  // Snapping holds on to the item it held, also when a new one stands before it.
  useLayoutEffect(() => {
    if (!first || !isAtStart.current) return;
    const frame = requestAnimationFrame(() => {
      if (list.current) list.current.scrollLeft = 0;
    });
    return () => cancelAnimationFrame(frame);
  }, [first]);
  return { list, more };
}

/** Left and right walk from item to item; each takes the focus with the first button in it. */
function walk(event: KeyboardEvent<HTMLUListElement>): void {
  const way = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const { target } = event;
  if (way === 0 || !(target instanceof Element)) return;
  const items = [...event.currentTarget.children];
  const to = items[items.findIndex((item) => item.contains(target)) + way];
  event.preventDefault();
  to?.querySelector('button')?.focus();
  to?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** A titled row that scrolls sideways: by swiping, by its buttons, by the arrow keys. */
export function Shelf({ title, first, size, children }: Props) {
  const t = useT();
  const id = useId();
  const { list, more } = useEdges(first);
  const turn = (way: 1 | -1) => () =>
    list.current?.scrollBy({ left: way * list.current.clientWidth * 0.9, behavior: 'smooth' });
  return (
    <section aria-labelledby={id} className="-mx-4 px-4 sm:-mx-8 sm:px-8">
      <div className="mb-2 flex min-h-11 items-center justify-between gap-4">
        <h2 id={id} className="font-serif text-lg font-semibold tracking-tight">
          {title}
        </h2>
        <div className={cn('hidden gap-1 pointer-fine:flex', !more.before && !more.after && 'invisible')}>
          <IconButton
            label={t('discover.earlier', { name: title })}
            disabled={!more.before}
            onClick={turn(-1)}
          >
            <ChevronLeft />
          </IconButton>
          <IconButton label={t('discover.later', { name: title })} disabled={!more.after} onClick={turn(1)}>
            <ChevronRight />
          </IconButton>
        </div>
      </div>
      <ul
        ref={list}
        onKeyDown={walk}
        className={cn(
          '-mx-4 grid snap-x snap-mandatory scroll-px-4 auto-rows-fr grid-flow-col gap-4 overflow-x-auto px-4 py-1.5 sm:-mx-8 sm:scroll-px-8 sm:px-8',
          '[scrollbar-width:none]',
          columns[size],
        )}
      >
        {children}
      </ul>
    </section>
  );
}
