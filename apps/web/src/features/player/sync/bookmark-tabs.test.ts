import type { Bookmark } from '@escucho/contracts';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { mockLocks } from '#testing/locks.ts';
import { buildTrack, toId } from '../testing/fixtures.ts';
import type { SendResult } from './send-queue.ts';

// Two tabs share a user's queue of unsent bookmarks. Requests arrive, and are answered, at any time, and responses are lost.
// A tab shows what was done in it last; in the end the server has what was done last in any tab.

/** The number of random sequences; `SEQUENCES=10000` for a long run. */
const RUNS = Number(process.env.SEQUENCES ?? 1000);

const type = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('add' as const, 'write' as const, 'delete' as const) },
  { weight: 4, arbitrary: fc.constantFrom('store' as const, 'respond' as const) },
  { weight: 2, arbitrary: fc.constantFrom('lose' as const, 'reconnect' as const, 'load' as const) },
);
/** `index`: of a bookmark, or of a request that is on its way. */
const action = fc.record({ type, tab: fc.nat(1), index: fc.nat(2) });
type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never;

interface Request {
  id: string;
  bookmark: Bookmark | null;
  isStored: boolean;
  respond: (result: SendResult) => void;
}

const user = toId(500);
const track = buildTrack(1);

/** Loads the modules again, as a tab does: only the storage is shared. */
async function openTab() {
  vi.resetModules();
  const [bookmarks, player, { usePlayer }] = await Promise.all([
    import('./bookmarks.ts'),
    import('../player.ts'),
    import('../engine/store.ts'),
  ]);
  return { ...bookmarks, ...player, usePlayer };
}

const finishTasks = () => new Promise((resolve) => setImmediate(resolve));
const toNotes = (bookmarks: Iterable<Bookmark>) => [...bookmarks].map(({ _id, note }) => [_id, note]);

it(`[PLAY-05] ${RUNS} random sequences of two tabs lose no change`, async () => {
  mockLocks();
  const tabs = [await openTab(), await openTab()];

  async function run(actions: readonly Action[]): Promise<void> {
    const stored = new Map<string, Bookmark>();
    const requests: Request[] = [];
    /** What the user did last with each bookmark, and in which tab. */
    const done = new Map<string, { tab: number; bookmark: Bookmark | null }>();
    const load = () => ({
      docs: [...stored.values()].map((bookmark) => ({ bookmark, track, sentence: null })),
      totalDocs: stored.size,
      requestedAt: performance.now(),
    });
    const pages = tabs.map(load);
    const send = (id: string, bookmark: Bookmark | null) =>
      new Promise<SendResult>((respond) => requests.push({ id, bookmark, isStored: false, respond }));
    const stops = tabs.map((each) => {
      each.clearListening();
      each.clearBookmarks();
      each.switchListeningUser(user);
      each.usePlayer.setState({ activeTrack: track });
      return each.startBookmarkSync(send);
    });
    const listed = (index: number) => {
      const page = pages[index];
      return (page ? (tabs[index]?.getChangedEntries([page], '') ?? []) : []).map(({ bookmark }) => bookmark);
    };

    function store(request: Request | undefined): void {
      if (!request) return;
      request.isStored = true;
      if (request.bookmark) stored.set(request.id, request.bookmark);
      else stored.delete(request.id);
    }
    function respond(request: Request | undefined, result: SendResult): void {
      if (!request) return;
      requests.splice(requests.indexOf(request), 1);
      request.respond(result);
    }
    function change(type: 'add' | 'write' | 'delete', index: number, id: string | undefined): void {
      const current = tabs[index] as (typeof tabs)[number];
      const bookmark = type === 'add' ? current.addBookmark() : listed(index).find(({ _id }) => _id === id);
      if (!bookmark) return;
      const changed = { ...bookmark, note: `${bookmark.note}.` };
      if (type === 'write') current.saveBookmark(changed);
      if (type === 'delete') current.deleteBookmark(bookmark);
      const results = { add: bookmark, write: changed, delete: null };
      done.set(bookmark._id, { tab: index, bookmark: results[type] });
    }
    function perform({ type, tab, index }: Action): void {
      if (type === 'store') store(requests.filter(({ isStored }) => !isStored)[index]);
      else if (type === 'respond') respond(requests.filter(({ isStored }) => isStored)[index], 'accepted');
      else if (type === 'lose') respond(requests[index], 'retryLater');
      else if (type === 'reconnect') dispatchEvent(new Event('online'));
      else if (type === 'load') pages[tab] = load();
      else change(type, tab, [...done.keys()][index]);
    }

    try {
      for (const each of actions) {
        perform(each);
        await finishTasks();
        for (const [id, { tab, bookmark }] of done)
          expect(listed(tab).find(({ _id }) => _id === id)?.note).toBe(bookmark?.note);
      }
    } finally {
      for (let attempts = 0; attempts < 2; attempts += 1) {
        dispatchEvent(new Event('online'));
        await finishTasks();
        for (let [request] = requests; request; [request] = requests) {
          if (!request.isStored) store(request);
          respond(request, 'accepted');
          await finishTasks();
        }
      }
      for (const stop of stops) stop();
    }
    const expected = [...done.values()].flatMap(({ bookmark }) => bookmark ?? []);
    expect(toNotes(stored.values()).toSorted()).toEqual(toNotes(expected).toSorted());
  }

  await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 30 }), run), {
    numRuns: RUNS,
  });
});
