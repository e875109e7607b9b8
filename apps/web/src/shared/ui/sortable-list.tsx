import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  MeasuringStrategy,
  PointerSensor,
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
import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import { cn } from './cn.ts';

/** Measures rows that a virtual list mounts during the drag, too. */
const measuring = { droppable: { strategy: MeasuringStrategy.Always } };
const autoScroll = { threshold: { x: 0, y: 0.2 }, acceleration: 50 };

interface SortableMessages {
  /** Read with the handle of an item. */
  instructions: string;
  pickedUp: (id: string, position: number) => string;
  movedOver: (id: string, position: number) => string;
  cancelled: (id: string, position: number) => string;
}

interface SortableListProps {
  ids: readonly string[];
  /** Moves an item to an index; returns whether it moved. */
  onMove: (id: string, index: number) => boolean;
  /** The announcements for screen readers; positions start at 1. */
  messages: SortableMessages;
  /** The list, with a `SortableItem` for each id; it gets the function that moves an item by keys. */
  children: (moveTo: (id: string, index: number) => void) => ReactNode;
}

/** A list whose items are sorted by mouse, touch or keyboard. After a move the focus is on the handle of the moved item. */
export function SortableList({ ids, onMove, messages, children }: SortableListProps) {
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
  const moveTo = (id: string, index: number): void => {
    if (onMove(id, index)) movedId.current = id;
  };
  const toPosition = (id: unknown) => ids.indexOf(String(id)) + 1;
  const announcements: Announcements = {
    onDragStart: ({ active }) => messages.pickedUp(String(active.id), toPosition(active.id)),
    onDragOver: ({ active, over }) =>
      over ? messages.movedOver(String(active.id), toPosition(over.id)) : undefined,
    // The move announces itself, as one by the arrow keys does.
    onDragEnd: () => undefined,
    onDragCancel: ({ active }) => messages.cancelled(String(active.id), toPosition(active.id)),
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      measuring={measuring}
      autoScroll={autoScroll}
      accessibility={{ announcements, screenReaderInstructions: { draggable: messages.instructions } }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) moveTo(String(active.id), ids.indexOf(String(over.id)));
      }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        <div ref={container}>{children(moveTo)}</div>
      </SortableContext>
    </DndContext>
  );
}

interface SortableItemProps {
  id: string;
  index: number;
  /** How many items the list has, with those not loaded yet. */
  total: number;
  /** The accessible name of the handle: the item and its position. */
  label: string;
  moveTo: (id: string, index: number) => void;
  /** Renders the item, which carries its id as `data-row`, around its handle. */
  children: (handle: ReactNode) => ReactNode;
}

/** An item of a sortable list. The arrow keys, Home and End move it at once; Space picks it up (LIST-06, PLAY-07). */
export function SortableItem({ id, index, total, label, moveTo, children }: SortableItemProps) {
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
    if (!active) moveTo(id, target);
  };
  return (
    <div
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={cn(isDragging && 'relative z-10 opacity-60')}
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
