import type { Outbox } from './outbox.ts';

/** The last place of each track that the server does not know yet. */
export const unsentPlaces = ({ entries }: Outbox): Record<string, number> =>
  Object.fromEntries(entries.map(({ track, position, cause }) => [track, cause === 'ended' ? 0 : position]));
