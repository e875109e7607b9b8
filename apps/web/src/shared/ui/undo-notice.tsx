import { clsx } from 'clsx';
import { Undo2 } from 'lucide-react';
import { type ReactElement, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useT } from '../i18n/i18n.ts';
import { type SerialMutationOptions, usePendingChanges, useSerialMutation } from '../use-serial-mutation.ts';
import { Button } from './button.tsx';
import { toastWithUndo } from './toast.tsx';

interface Props {
  /** Describes the change that can be undone. */
  text: string;
  onUndo: () => void;
  /** Called when the focus leaves the button, or at a click elsewhere. */
  onDismiss: () => void;
  className?: string;
}

/**
 * Returns the handler of the notice's blur. A pointer takes the focus before its click: the notice stays until the click
 * has reached its target, which would otherwise move from under the pointer and miss it.
 */
function useDismissal(root: RefObject<HTMLElement | null>, onDismiss: () => void): () => void {
  const isPressed = useRef(false);
  const dismiss = useEffectEvent(onDismiss);
  useEffect(() => {
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    const press = () => {
      isPressed.current = true;
    };
    const release = ({ type, target }: Event) => {
      isPressed.current = false;
      if (type === 'click' && target instanceof Node && !root.current?.contains(target)) dismiss();
    };
    window.addEventListener('pointerdown', press, options);
    window.addEventListener('pointercancel', release, options);
    window.addEventListener('click', release, options);
    return () => listeners.abort();
  }, [root]);
  return () => {
    if (!isPressed.current) onDismiss();
  };
}

/** Replaces a removed item and takes the focus it had. */
export function UndoNotice({ text, onUndo, onDismiss, className }: Props) {
  const t = useT();
  const root = useRef<HTMLDivElement>(null);
  const onBlur = useDismissal(root, onDismiss);
  return (
    <div
      ref={root}
      className={clsx(
        'flex items-center justify-between gap-3 border border-line border-dashed px-4 text-sm text-muted',
        className,
      )}
    >
      <span role="status" className="line-clamp-2 min-w-0">
        {text}
      </span>
      <Button autoFocus onClick={onUndo} onBlur={onBlur} className="shrink-0 px-4">
        <Undo2 aria-hidden className="size-4" />
        {t('common.undo')}
      </Button>
    </div>
  );
}

/** A change of a list. */
export interface ListChange<Item> {
  type: 'remove' | 'restore' | 'move';
  item: Item;
  /** Returns the items once the change is made. */
  apply: (items: Item[]) => Item[];
}

type ListOptions<Item, Change, Data> = SerialMutationOptions<Data, Change> & {
  /** The items that are loaded: without a network they show again what the server has not confirmed. */
  loaded: Item[];
};

/**
 * Returns the items of a list with its changes, which are shown at once and sent one after another. A notice in the place of
 * a removed item offers to restore it.
 */
export function useListChanges<
  Item extends { _id: string; title: string },
  Change extends ListChange<Item>,
  Data,
>({ loaded, ...options }: ListOptions<Item, Change, Data>) {
  const t = useT();
  const [removed, setRemoved] = useState<{ item: Item; index: number; restoration: Change } | null>(null);
  const items = usePendingChanges<Change>(options.scope).reduce((shown, { apply }) => apply(shown), loaded);
  const dismissNotice = () => setRemoved(null);
  const { mutate } = useSerialMutation({
    ...options,
    onError: (failed: Change) => {
      const { type, item } = failed;
      if (type === 'remove') setRemoved((now) => (now?.item === item ? null : now));
      // The item is still removed, and its notice is gone.
      if (type === 'restore')
        toastWithUndo(t('common.removed', { title: item.title }), () => mutate(failed), 'message');
    },
  });
  const remove = (removal: Change, restoration: Change): void => {
    setRemoved({ item: removal.item, index: items.indexOf(removal.item), restoration });
    mutate(removal);
  };
  const undo = (): void => {
    dismissNotice();
    if (removed) mutate(removed.restoration);
  };
  /** Returns the rows of the items with the notice. */
  const addNotice = (rows: readonly ReactElement[]): readonly ReactElement[] =>
    removed
      ? rows.toSpliced(
          removed.index,
          0,
          <UndoNotice
            key={`removed ${removed.item._id}`}
            text={t('common.removed', { title: removed.item.title })}
            onUndo={undo}
            onDismiss={dismissNotice}
            className="min-h-16 rounded-md"
          />,
        )
      : rows;
  return { items, change: mutate, remove, addNotice, dismissNotice, hasNotice: removed !== null };
}
