import type { Track } from '@escucho/contracts';
import { expect, it } from 'vitest';
import { buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { selectSuggestion } from './suggestion.ts';

const learning = { language: 'en', level: 'B1' } as const;
const spanish = (number: number) => buildTrack(number, { language: 'es' });
const easy = (number: number) => buildTrack(number, { level: 'A1' });
const locked = (number: number) => buildTrack(number, { url: null });

it.each<[string, Track[], Track, number[], typeof learning | undefined, number | undefined]>([
  ['the first other one', [buildTrack(1), buildTrack(2), buildTrack(3)], buildTrack(1), [], learning, 2],
  ['one that suits the learner', [spanish(2), easy(3), buildTrack(4)], buildTrack(1), [], learning, 4],
  ['one like a track that does not suit', [buildTrack(2), spanish(3)], spanish(1), [], learning, 3],
  ['one in its language without a choice', [spanish(2), buildTrack(3)], buildTrack(1), [], undefined, 3],
  ['one that may be played', [locked(2), buildTrack(3)], buildTrack(1), [], learning, 3],
  ['one that is new', [buildTrack(2), buildTrack(3)], buildTrack(1), [2], learning, 3],
  [
    'what needs a subscription rather than a repetition',
    [buildTrack(2), locked(3)],
    buildTrack(1),
    [2],
    learning,
    3,
  ],
  ['a repetition where nothing is new', [buildTrack(2)], buildTrack(1), [2], learning, 2],
  ['nothing where nothing suits', [spanish(2)], buildTrack(1), [], learning, undefined],
])('offers %s', (_, tracks, after, played, learner, expected) => {
  const lists = [{ source: { name: 'More', playlist: null }, tracks }];
  const suggestion = selectSuggestion(after, lists, { learning: learner, played: new Set(played.map(toId)) });
  expect(suggestion?.track._id).toBe(expected && toId(expected));
  expect(suggestion && tracks[suggestion.index]).toBe(suggestion?.track);
});
