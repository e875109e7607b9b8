import { describe, expect, it } from 'vitest';
import { buildPlaying, buildTrack, runEvents } from '../testing/fixtures.ts';
import { createGate } from './gate.ts';
import { transition } from './machine.ts';
import { selectAround } from './queue.ts';
import { emptyPlayer, type PlayerEvent } from './state.ts';

const suitability = [
  ['es', 'A1'],
  ['en', 'C1'],
  ['es', 'A2'],
  ['es', 'B1'],
  ['en', 'B2'],
] as const;
const tracks = suitability.map(([language, level], index) => buildTrack(index + 1, { language, level }));
const toNumbers = (list: readonly { _id: string }[]) => list.map(({ _id }) => Number(_id.slice(-2)));

describe('selectAround', () => {
  it.each([
    ['what suits the learner, around a track that suits', ['es', 'A1'], 1, [1, 3]],
    ['all of the language where no level was chosen', ['es', null], 1, [1, 3, 4]],
    ['all at the level where no language was chosen', [null, 'B2'], 2, [2, 4, 5]],
    ['what is like a track that does not suit', ['es', 'A1'], 2, [2, 5]],
    ['the same around a track of the language at another level', ['es', 'A1'], 4, [3, 4]],
    ['everything where nothing was chosen', [null, null], 2, [1, 2, 3, 4, 5]],
  ] as const)('plays %s', (_, [language, level], number, expected) => {
    const requested = tracks[number - 1] ?? buildTrack(0);
    expect(toNumbers(selectAround(requested, tracks, { language, level }))).toEqual(expected);
  });
});

describe('what plays next', () => {
  const source = { name: 'Stories', playlist: null };
  const request = { type: 'playFrom', source, tracks, index: 0 } as const;

  it.each([
    ['suits the learner', {}, [1, 3]],
    ['is the rest of a list that the user has composed', { isOwn: true }, [1, 2, 3, 4, 5]],
    ['is the rest of the list for a user who chose nothing', { learning: undefined }, [1, 2, 3, 4, 5]],
  ] as const)('[PLAY-02] %s', (_, changes, expected) => {
    const event: PlayerEvent = { ...request, learning: { language: 'es', level: 'A1' }, ...changes };
    const { state } = transition(emptyPlayer, event, createGate(true));
    expect(toNumbers(state.queue)).toEqual(expected);
  });

  it('[PLAY-02] from the same source, what suits is added to the queue', () => {
    const [first] = tracks;
    const playing = buildPlaying(first ? [{ ...first, source: 'Stories', playlist: null }] : []);
    const { state } = runEvents(playing, [{ ...request, learning: { language: 'es', level: 'A1' } }]);
    expect(toNumbers(state.queue)).toEqual([1, 3]);
  });

  it('[PLAY-04] the gate sees the index in the whole list', () => {
    const event: PlayerEvent = {
      type: 'playFrom',
      source: { name: 'Latest', playlist: 'latest' },
      tracks,
      index: 2,
      learning: { language: 'es', level: 'A2' },
    };
    const { effects } = transition(emptyPlayer, event, createGate(false));
    expect(effects).toEqual([{ type: 'refused', track: tracks[2] }]);
  });
});
