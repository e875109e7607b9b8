import { describe, expect, it } from 'vitest';
import { createTestClock } from '../testing/clock.ts';
import { keptAnswers } from './kept.ts';

const stays = () => false;
const gone = () => true;

/** Answers as they come: each is looked for once it is let go. */
function looked(keptFor = 5000) {
  const clock = createTestClock();
  const answers = keptAnswers<number>({ keptFor, most: 2, clock: clock.now });
  let times = 0;
  const look = async (isGone: () => boolean) => {
    await Promise.resolve();
    if (isGone()) return undefined;
    times += 1;
    return times;
  };
  const ask = (name: string, isGone = stays) => answers(name, isGone, look);
  return { ask, clock, answers };
}

describe('what is the same for everybody', () => {
  it('[CAT-03] is looked for once by all who ask at the same time, and again after some seconds', async () => {
    const { ask, clock } = looked();
    expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([1, 1, 2]);
    clock.advance(4);
    expect(await ask('a')).toBe(1);
    clock.advance(2);
    expect(await ask('a')).toBe(3);
  });

  it('[CAT-03] is not kept beyond its flight where nothing is to be kept', async () => {
    const { ask } = looked(0);
    expect(await Promise.all([ask('a'), ask('a')])).toEqual([1, 1]);
    expect(await ask('a')).toBe(2);
  });

  it('[CAT-03] is given up when all have gone, not before, and then looked for anew', async () => {
    const { ask } = looked();
    expect(await Promise.all([ask('a', gone), ask('a')])).toEqual([1, 1]);
    expect(await Promise.all([ask('b', gone), ask('b', gone)])).toEqual([undefined, undefined]);
    expect(await ask('b')).toBe(2);
  });

  it('[CAT-03] is not kept where it failed', async () => {
    const { ask, answers } = looked();
    const failing = answers('a', stays, () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
    expect(await ask('a')).toBe(1);
  });

  it('[CAT-03] gives way to what was asked for later', async () => {
    const { ask } = looked();
    for (const name of ['a', 'b', 'c']) await ask(name);
    expect(await ask('a')).toBe(4);
  });
});
