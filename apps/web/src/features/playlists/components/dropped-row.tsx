import { Undo2 } from 'lucide-react';
import { useT } from '../../../shared/i18n/i18n.ts';
import { Button } from '../../../shared/ui/button.tsx';

interface Props {
  title: string;
  onUndo: () => void;
  /** The reader has turned to something else. */
  onLeave: () => void;
}

/** Stands where a track was taken out, and holds the focus it had, so that the way back is at hand. */
export function DroppedRow({ title, onUndo, onLeave }: Props) {
  const t = useT();
  return (
    <div className="flex min-h-16 items-center justify-between gap-3 rounded-md border border-line border-dashed px-4 text-sm text-muted">
      <span role="status" className="min-w-0 truncate">
        {t('playlists.removed', { title })}
      </span>
      <Button autoFocus onClick={onUndo} onBlur={onLeave} className="shrink-0 px-4">
        <Undo2 aria-hidden className="size-4" />
        {t('playlists.undo')}
      </Button>
    </div>
  );
}
