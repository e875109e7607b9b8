import type { Track } from '@escucho/contracts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { articleQuery } from '#features/articles/queries.ts';
import {
  type SuggestionList,
  selectSuggestion,
  toLevelList,
  toSource,
} from '#features/catalogue/model/discover.ts';
import { discoverQuery } from '#features/catalogue/queries.ts';
import { historyQuery } from '#features/history/queries.ts';
import { play } from '#features/player/player.ts';
import { useIsLocked, useSession } from '#features/session/session.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { ActionButton, Cover } from '#shared/ui/cover.tsx';

/** Returns what to play after a track; undefined while that is not known, or where there is nothing. */
function useSuggestion(after: Track) {
  const t = useT();
  const { user } = useSession();
  const article = useQuery(articleQuery(after._id));
  const history = useInfiniteQuery(historyQuery);
  const played = new Set(history.data?.pages.flatMap(({ docs }) => docs.map(({ _id }) => _id)));
  const listener = { learning: user?.learning, played };
  const related: SuggestionList[] = article.data
    ? [
        {
          source: { name: `${t('player.suggestion')} · ${after._id}`, playlist: null },
          tracks: article.data.related,
        },
      ]
    : [];
  const nearest = selectSuggestion(after, related, listener);
  // Without a subscription, what may be played is on Discover only; so is more that is new once what is related was played.
  const isEnough = nearest !== undefined && nearest.track.url !== null && !played.has(nearest.track._id);
  const isKnown = !article.isPending && !history.isPending;
  const discover = useQuery({ ...discoverQuery(user?._id ?? ''), enabled: isKnown && !isEnough });
  if (!isKnown || (!isEnough && discover.isPending)) return undefined;
  if (isEnough || !discover.data) return nearest;
  const levelList = toLevelList(t, discover.data);
  const rows = discover.data.rows.map(({ playlist, tracks }) => ({ source: toSource(playlist), tracks }));
  return selectSuggestion(after, [...related, ...(levelList ? [levelList] : []), ...rows], listener);
}

/** What to play after a track, with a button that plays it; nothing where there is none. */
export function Suggestion({ after }: { after: Track }) {
  const t = useT();
  const format = useFormat();
  const suggestion = useSuggestion(after);
  const isLocked = useIsLocked(suggestion?.track.url ?? null);
  if (!suggestion) return null;
  const { source, tracks, index, track } = suggestion;
  return (
    <section aria-label={t('player.suggestion')} className="flex flex-wrap items-center gap-3">
      <Cover src={track.image} size={56} decoding="auto" className="size-12 shrink-0 rounded-sm md:size-14" />
      <p role="status" className="min-w-0 grow basis-[6rem] md:max-w-96">
        <span className="block text-xs text-muted">
          {t('player.suggestion')} · {track.level} · {format.duration(track.duration)}
        </span>
        <span lang={track.language} className="line-clamp-2 text-sm font-semibold">
          {track.title}
        </span>
      </p>
      <ActionButton
        action={isLocked ? 'lock' : 'play'}
        aria-label={t(isLocked ? 'discover.playLocked' : 'discover.play', { title: track.title })}
        onClick={() => play(source, tracks, index)}
      >
        {t('player.play')}
      </ActionButton>
    </section>
  );
}
