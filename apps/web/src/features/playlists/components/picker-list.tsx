import { limits, type Track } from '@escucho/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type UIEvent, useEffect, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { playlistsQuery } from '../queries.ts';
import { PickerRow } from './picker-row.tsx';

/** How far from the end, in pixels, the next page is asked for. */
const ahead = 160;

/** What the box holds, once it has rested (LIST-04). */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), limits.search.debounce);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** The list itself, or what stands in its place. */
function Playlists({ text, track }: { text: string; track: Track }) {
  const t = useT();
  const query = useInfiniteQuery(playlistsQuery(text));
  const { data, isError, isPaused, hasNextPage, isFetchingNextPage } = query;
  const playlists = data?.pages.flatMap(({ docs }) => docs) ?? [];
  const scrolled = ({ currentTarget: box }: UIEvent) => {
    const isNear = box.scrollTop + box.clientHeight > box.scrollHeight - ahead;
    if (isNear && hasNextPage && !isFetchingNextPage && !isError) void query.fetchNextPage();
  };
  const failed = (isError || isPaused) && (
    <div role="alert" className="grid justify-items-center gap-3 py-6 text-center text-sm text-muted">
      {t(data ? 'playlists.moreFailed' : 'playlists.listFailed')}
      <Button onClick={() => void (data ? query.fetchNextPage() : query.refetch())}>
        {t('common.retry')}
      </Button>
    </div>
  );
  return (
    <div onScroll={scrolled} className="-mx-2 mt-3 h-72 overflow-y-auto overscroll-contain px-2">
      {!data && !failed && (
        <div role="status" className="grid gap-3 py-1.5">
          <span className="sr-only">{t('common.loading')}</span>
          {['a', 'b', 'c', 'd'].map((name) => (
            <Skeleton key={name} className="h-12" />
          ))}
        </div>
      )}
      {playlists.length > 0 && (
        <ul aria-label={t('playlists.yours')}>
          {playlists.map((playlist) => (
            <PickerRow key={playlist._id} playlist={playlist} track={track} />
          ))}
        </ul>
      )}
      {data && playlists.length === 0 && (
        <p role="status" className="grid gap-1 py-12 text-center text-sm text-muted text-balance">
          {text.trim() === '' ? (
            <>
              <strong className="font-serif text-base font-semibold text-ink">
                {t('playlists.noneTitle')}
              </strong>
              {t('playlists.noneText')}
            </>
          ) : (
            t('playlists.noneFound')
          )}
        </p>
      )}
      {failed}
      {isFetchingNextPage && <Skeleton className="my-2 h-12" />}
    </div>
  );
}

/** Create, search, and the reader's playlists (LIST-03). */
export function PickerList({ track, onCreate }: { track: Track; onCreate: () => void }) {
  const t = useT();
  const [text, setText] = useState('');
  return (
    <>
      <p lang={track.language} className="-mt-3 mb-4 truncate text-sm text-muted">
        {track.title}
      </p>
      <Button onClick={onCreate} className="w-full">
        <Plus aria-hidden className="size-4" />
        {t('playlists.create')}
      </Button>
      <input
        type="search"
        aria-label={t('playlists.search')}
        placeholder={t('playlists.search')}
        value={text}
        maxLength={limits.search.maxLength}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        className="field mt-3"
      />
      <Playlists text={useRested(text)} track={track} />
    </>
  );
}
