import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  MeasuringStrategy,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { clsx } from 'clsx';
import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react';
import { type MessageKey, useT } from '../i18n/i18n.ts';
import { IconButton } from './button.tsx';

/** Measures rows that a virtual list mounts during the drag, too. */
const measuring = { droppable: { strategy: MeasuringStrategy.Always } };
const autoScroll = { threshold: { x: 0, y: 0.2 }, acceleration: 50 };

interface Sortable {
  _id: string;
  title: string;
}

interface SortableListProps<Item extends Sortable> {
  items: readonly Item[];
  /** How many items the list has, with those not loaded yet. */
  total: number;
  /** Moves an item to an index; returns whether it moved. */
  onMove: (item: Item, index: number) => boolean;
  /** Renders an item, which carries its id as `data-row`, around its handle. */
  renderItem: (item: Item, index: number, handle: ReactNode) => ReactNode;
  /** Renders the list around its items, which have their ids as keys. */
  children: (items: ReactElement[]) => ReactNode;
}

/**
 * A list whose items are sorted by mouse, touch or keyboard, with the messages of the player's queue. After a move the focus
 * is on the handle of the moved item.
 */
export function SortableList<Item extends Sortable>(props: SortableListProps<Item>) {
  const { items, total, onMove, renderItem, children } = props;
  const t = useT();
  const container = useRef<HTMLDivElement>(null);
  const movedId = useRef<string | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  // React moves the row in the document, which takes the focus from its handle.
  useLayoutEffect(() => {
    if (movedId.current === null) return;
    container.current?.querySelector<HTMLElement>(`[data-row="${movedId.current}"] [data-handle]`)?.focus();
    movedId.current = null;
  });
  const moveTo = (item: Item | undefined, index: number): void => {
    if (item && onMove(item, index)) movedId.current = item._id;
  };
  const getIndex = (id: UniqueIdentifier) => items.findIndex(({ _id }) => _id === id);
  /** Returns a message about an item at the position of another. */
  const announce = (message: MessageKey, id: UniqueIdentifier, target = id) =>
    t(message, { title: items[getIndex(id)]?.title ?? '', n: getIndex(target) + 1, all: total });
  const announcements: Announcements = {
    onDragStart: ({ active }) => announce('queue.pickedUp', active.id),
    onDragOver: ({ active, over }) => (over ? announce('queue.moved', active.id, over.id) : undefined),
    // The move announces itself, as one by the arrow keys does.
    onDragEnd: () => undefined,
    onDragCancel: ({ active }) => announce('queue.sortCancelled', active.id),
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      measuring={measuring}
      autoScroll={autoScroll}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('queue.sortHelp') } }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) moveTo(items[getIndex(active.id)], getIndex(over.id));
      }}
    >
      <SortableContext items={items.map(({ _id }) => _id)} strategy={verticalListSortingStrategy}>
        <div ref={container}>
          {children(
            items.map((item, index) => (
              <SortableItem
                key={item._id}
                id={item._id}
                index={index}
                total={total}
                label={t('queue.move', { title: item.title, n: index + 1, all: total })}
                onMove={(target) => moveTo(item, target)}
              >
                {(handle) => renderItem(item, index, handle)}
              </SortableItem>
            )),
          )}
        </div>
      </SortableContext>
    </DndContext>
  );
}

interface SortableItemProps {
  id: string;
  index: number;
  total: number;
  /** The accessible name of the handle. */
  label: string;
  onMove: (index: number) => void;
  children: (handle: ReactNode) => ReactNode;
}

/** An item of a sortable list. The arrow keys, Home and End move it at once; Space picks it up (LIST-06, PLAY-07). */
function SortableItem({ id, index, total, label, onMove, children }: SortableItemProps) {
  const {
    active,
    attributes,
    isDragging,
    listeners,
    setActivatorNodeRef,
    setNodeRef,
    transform,
    transition,
  } = useSortable({ id });
  const targets: Record<string, number> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    Home: 0,
    End: total - 1,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = targets[event.key];
    if (target === undefined) return listeners?.onKeyDown?.(event);
    event.preventDefault();
    // During a drag the keys are the sensor's.
    if (!active && target !== index) onMove(target);
  };
  return (
    <div
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={clsx(isDragging && 'relative z-10 opacity-60')}
    >
      {children(
        <IconButton
          data-handle
          label={label}
          aria-describedby={attributes['aria-describedby']}
          {...listeners}
          ref={setActivatorNodeRef}
          onKeyDown={onKeyDown}
          className="z-1 -ml-2 cursor-grab touch-none"
        >
          <GripVertical />
        </IconButton>,
      )}
    </div>
  );
}
