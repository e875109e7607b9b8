import { cn } from './cn.ts';
import { actionIcons, Cover } from './cover.tsx';

/** A row's cover with the icon of its action: always visible for pause and locked, for play on hover and focus. */
export function RowCover({ src, action }: { src: string; action: keyof typeof actionIcons }) {
  const Icon = actionIcons[action];
  return (
    <>
      <Cover src={src} size={64} loading="lazy" className="size-full" />
      <span
        aria-hidden
        // Covers are behind it, not the page: what is readable on them is the same in both themes.
        data-theme="dark"
        className={cn(
          'absolute inset-0 grid place-items-center bg-veil text-accent',
          action === 'play' && 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
        )}
      >
        <Icon className="size-5" fill={action === 'lock' ? 'none' : 'currentColor'} />
      </span>
    </>
  );
}
