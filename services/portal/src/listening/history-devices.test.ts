import { randomUUID } from 'node:crypto';
import { api, type ProgressCause } from '@escucho/contracts';
import { silentLog as log } from '@escucho/database/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withCatalogueAdmin } from '../content.ts';
import { startPortal } from '../testing/portal.ts';

// Devices of one user that are offline for up to weeks, and a history that the user clears. The model knows when each track
// was listened to, and when it was last removed.

/** The number of random sequences; `SEQUENCES=1000` for a long run. */
const RUNS = Number(process.env.SEQUENCES ?? 50);
const DAY = 86_400;
/** An entry that is in transit for as many seconds is not late. */
const MAX_TRANSIT = 5;
const slugs = ['el-gato', 'long-walk'];

const { call, send, createUser, articleId, clock, issuer, connection, store } = await startPortal();
const { findHistory, clearHistory, removeFromHistory, restoreToHistory } = api.listening;

const device = fc.nat(2);
const track = fc.nat(1);
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('listen' as const),
      device,
      track,
      cause: fc.constantFrom<ProgressCause[]>('play', 'tick', 'pause', 'hide', 'ended', 'skip'),
      position: fc.integer({ min: 1, max: 90 }),
    }),
  },
  // What waits on a device is sent again where its responses are lost.
  { weight: 4, arbitrary: fc.record({ type: fc.constant('send' as const), device, isLost: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      seconds: fc.constantFrom(10, 3600, DAY, 9 * DAY),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('clear' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('remove' as const, 'restore' as const, 'unpublish' as const),
      track,
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never;

const createTrack = (slug: string) => ({
  id: articleId(slug),
  slug,
  isPublished: true,
  isListened: false,
  listenedAt: 0,
  removedAt: 0,
  isRestored: false,
});
type Track = ReturnType<typeof createTrack>;

const isListed = ({ isRestored, listenedAt, removedAt }: Track) => isRestored || listenedAt > removedAt;

interface Entry {
  track: Track;
  body: { device: string; sequence: number; cause: ProgressCause; position: number };
  madeAt: number;
  isSaved: boolean;
}

it(`[CAT-05] ${RUNS} random sequences of devices leave a model’s history`, async () => {
  await withCatalogueAdmin({ connection, mediaStore: store, log, clock: clock.now }, async (admin) => {
    async function run(actions: readonly Action[]): Promise<void> {
      const { subject } = await createUser();
      const token = await issuer.access(subject, { lifetime: 365 * DAY });
      const devices = [0, 1, 2].map(() => ({ id: randomUUID(), sequence: 0, queue: [] as Entry[] }));
      const tracks = slugs.map(createTrack);
      const getDevice = (index: number) => devices[index] as (typeof devices)[number];
      const getTrack = (index: number) => tracks[index] as Track;

      const remove = (track: Track) =>
        Object.assign(track, { removedAt: clock.seconds(), isRestored: false });

      async function sendEntry(entry: Entry): Promise<void> {
        const { track, body, madeAt, isSaved } = entry;
        const waited = clock.seconds() - madeAt;
        const request = { token, body: { ...body, track: track.id, waited } };
        const { statusCode } = await send(api.listening.saveProgress, request);
        expect(statusCode).toBe(track.isPublished ? 200 : 404);
        if (!track.isPublished || isSaved) return;
        entry.isSaved = true;
        const listenedAt = waited > MAX_TRANSIT ? madeAt : clock.seconds();
        if (body.cause === 'skip') return;
        track.isListened = true;
        track.listenedAt = Math.max(track.listenedAt, listenedAt);
      }

      async function publishOrUnpublish(track: Track): Promise<void> {
        await (track.isPublished ? admin.unpublish(track.slug) : admin.publish(track.slug));
        track.isPublished = !track.isPublished;
      }

      async function removeOrRestore(type: 'remove' | 'restore', track: Track): Promise<void> {
        const endpoint = type === 'remove' ? removeFromHistory : restoreToHistory;
        const { statusCode } = await send(endpoint, { token, params: { id: track.id } });
        const isFound = type === 'remove' ? isListed(track) : track.isListened;
        expect(statusCode).toBe(isFound ? 200 : 404);
        if (isFound && type === 'remove') remove(track);
        if (isFound && type === 'restore') track.isRestored = true;
      }

      async function perform(each: Action): Promise<void> {
        switch (each.type) {
          case 'wait':
            return clock.advance(each.seconds);
          case 'listen': {
            const sender = getDevice(each.device);
            sender.sequence += 1;
            const { id, sequence, queue } = sender;
            const body = { device: id, sequence, cause: each.cause, position: each.position };
            queue.push({ track: getTrack(each.track), body, madeAt: clock.seconds(), isSaved: false });
            return;
          }
          case 'send': {
            const { queue } = getDevice(each.device);
            for (const entry of each.isLost ? queue : queue.splice(0)) await sendEntry(entry);
            return;
          }
          case 'clear':
            await call(clearHistory, token, {});
            return tracks.forEach(remove);
          case 'unpublish':
            return publishOrUnpublish(getTrack(each.track));
          default:
            return removeOrRestore(each.type, getTrack(each.track));
        }
      }

      for (const each of actions) {
        clock.advance(1);
        await perform(each);
        const { docs, totalDocs } = await call(findHistory, token, { query: {} });
        const expected = tracks.filter((track) => track.isPublished && isListed(track));
        expect(docs.map(({ _id }) => _id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
        expect(totalDocs).toBe(expected.length);
      }
    }
    const property = fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 16 }), run);
    const publishAll = async () => {
      for (const slug of slugs) await admin.publish(slug).catch(() => {});
    };
    await fc.assert(property, { numRuns: RUNS, plugins: [fc.beforeEach(publishAll)] });
  });
});
