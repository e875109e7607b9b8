import type { Track } from '@escucho/contracts';
import { GripVertical } from 'lucide-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useT } from '../../../shared/i18n/i18n.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

interface Props {
  track: Track;
  index: number;
  total: number;
  /** To an index of the list. */
  onMove: (index: number) => void;
  onDragStart: (event: PointerEvent) => void;
}

/** Where a track is taken to be moved: dragged, or by the arrow keys (LIST-06). */
export function DragHandle({ track, index, total, onMove, onDragStart }: Props) {
  const t = useT();
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
      label={t('playlists.move', { title: track.title, n: index + 1, all: total })}
      onKeyDown={pressed}
      onPointerDown={onDragStart}
      className="z-1 -ml-2 cursor-grab touch-none"
    >
      <GripVertical />
    </IconButton>
  );
}
