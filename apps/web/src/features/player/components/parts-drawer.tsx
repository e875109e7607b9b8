import { useQuery } from '@tanstack/react-query';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { Drawer } from '#shared/ui/dialog.tsx';
import { dispatch } from '../engine/events.ts';
import { usePlayback, usePlayer } from '../engine/store.ts';
import { findSentenceIndex } from '../model/sentences.ts';
import { articleQuery } from '../queries.ts';
import { Bookmarks } from './bookmarks.tsx';

interface Part {
  title: string;
  start: number;
}

/** Chapters or pages: a press goes there. */
function Parts({ parts, label, language }: { parts: readonly Part[]; label: string; language: string }) {
  const format = useFormat();
  const now = usePlayback(({ position }) => findSentenceIndex(parts, position));
  return (
    <section aria-label={label} className="mb-6">
      <h3 className="mb-2 text-sm font-semibold text-muted">{label}</h3>
      <ol className="-mx-2 grid">
        {parts.map(({ title, start }, index) => (
          <li key={start}>
            <button
              type="button"
              aria-current={index === now ? 'true' : undefined}
              onClick={() => dispatch({ type: 'seek', position: start })}
              className={cn(
                'flex min-h-11 w-full items-center justify-between gap-3 rounded-md px-2 py-1 text-left text-sm',
                index === now ? 'bg-accent-soft text-accent-text' : 'hover:bg-hover',
              )}
            >
              <span lang={language} className="min-w-0">
                {title}
              </span>
              <span className="shrink-0 text-xs text-muted tabular-nums">{format.time(start)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The places of what is heard that one can go to: its chapters or pages, and the reader's bookmarks. */
export default function PartsDrawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  const track = usePlayer((player) => player.activeTrack);
  const { data } = useQuery({ ...articleQuery(track?._id ?? ''), enabled: track !== null });
  if (!track) return null;
  const { chapters = [], pages = [] } = data ?? {};
  return (
    <Drawer side="right" title={t('tools.parts')} onClose={onClose}>
      {chapters.length > 0 && (
        <Parts parts={chapters} label={t('tools.chapters')} language={track.language} />
      )}
      {pages.length > 0 && <Parts parts={pages} label={t('tools.pages')} language={track.language} />}
      <Bookmarks track={track} sentences={data?.sentences ?? []} />
    </Drawer>
  );
}
