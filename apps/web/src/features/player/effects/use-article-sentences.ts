import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dispatch } from '../engine/events.ts';
import { usePlayer } from '../engine/store.ts';
import { articleQuery } from '../queries.ts';

/** Tells the player the sentences of what is heard, once their text is there (PLAY-08). */
export function useArticleSentences(): void {
  const id = usePlayer(({ activeTrack }) => activeTrack?._id);
  const isHeard = usePlayer(({ phase }) => phase === 'playing' || phase === 'paused');
  const { data } = useQuery({ ...articleQuery(id ?? ''), enabled: id !== undefined && isHeard });
  useEffect(() => {
    if (!data || data._id !== id) return;
    const spans = data.sentences.map(({ start, end }) => ({ start, end }));
    dispatch({ type: 'sentencesLoaded', id: data._id, spans });
  }, [data, id]);
}
