import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createEventStreams } from './streams.ts';

const quiet = { perUser: 2, total: 3, heartbeatMs: 60_000, maxHeartbeats: 2 };
const refusal = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('event streams', () => {
  it('[CAT-07] are limited per user and in total; a closed one frees its slot', async () => {
    const streams = createEventStreams(quiet);
    const first = streams.open('ana', 'en');
    streams.open('ana', 'en');
    expect(refusal(() => streams.open('ana', 'en'))).toMatchObject({ code: 'too_many_requests' });
    streams.open('luis', 'es');
    expect(refusal(() => streams.open('eva', 'es'))).toMatchObject({ code: 'unavailable' });
    const gone = once(first, 'close');
    first.destroy();
    await gone;
    streams.open('ana', 'en');
    streams.close();
  });

  it('[CAT-07] send each stream the data in its language', async () => {
    const streams = createEventStreams(quiet);
    const bodies = (['en', 'es'] as const).map((language) => text(streams.open(language, language)));
    streams.send('n1', (language) => ({ text: `in ${language}\n` }));
    streams.close();
    expect(await Promise.all(bodies)).toEqual([
      ':\n\nevent: notification\nid: n1\ndata: {"text":"in en\\n"}\n\n',
      ':\n\nevent: notification\nid: n1\ndata: {"text":"in es\\n"}\n\n',
    ]);
  });

  it('[CAT-07] send heartbeats and end after the last one', async () => {
    const streams = createEventStreams({ ...quiet, heartbeatMs: 5, maxHeartbeats: 3 });
    expect(await text(streams.open('ana', 'en'))).toBe(':\n\n:\n\n:\n\n');
    streams.close();
  });

  it('[CAT-07] disconnect a client that does not read', async () => {
    const streams = createEventStreams(quiet);
    const stuck = streams.open('ana', 'en');
    const dropped = once(stuck, 'close');
    const data = 'x'.repeat(20_000);
    for (let number = 0; number < 10; number += 1) streams.send(String(number), () => data);
    await dropped;
    expect(stuck.destroyed).toBe(true);
    streams.close();
  });

  it('refuse new ones after close', () => {
    const streams = createEventStreams(quiet);
    streams.close();
    expect(refusal(() => streams.open('ana', 'en'))).toMatchObject({ code: 'unavailable' });
  });
});
