import { GripVertical } from 'lucide-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { IconButton } from './icon-button.tsx';

interface Props {
  /** What is moved, and where it stands. */
  label: string;
  index: number;
  total: number;
  /** To an index of the list. */
  onMove: (index: number) => void;
  onDragStart: (event: PointerEvent) => void;
}

/** Where a row is taken to be moved: dragged, or by the arrow keys (LIST-06, PLAY-07). */
export function DragHandle({ label, index, total, onMove, onDragStart }: Props) {
  const moves: Record<string, number> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    Home: 0,
    End: total - 1,
  };
  const pressed = (event: KeyboardEvent) => {
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onMove(to);
  };
  return (
    <IconButton
      data-handle
      label={label}
      onKeyDown={pressed}
      onPointerDown={onDragStart}
      className="z-1 -ml-2 cursor-grab touch-none"
    >
      <GripVertical />
    </IconButton>
  );
}
