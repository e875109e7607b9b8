import { api, type RequestInput } from '@escucho/contracts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { call, db, createUser } = await startPortal();
const { createPlaylist, changePlaylist, findPlaylist, findPlaylistContent } = api.playlists;
// Of a user of its own for each run: a user's requests are limited.
let token = '';

const { rows } = await sql<{ id: string }>`
  insert into article (id, slug, title, summary, kind, language, level, topic, narrator, image, artwork, audio, duration,
    source_stamp, content_hash, published_at)
  select gen_random_uuid(), 'piece-' || n, 'Piece ' || n, '', 'article', 'en', 'B1', 'travel', 'Amelia', 'i', 'a', 'm', n,
    '', '', now() from generate_series(1, 8) n
  returning id`.execute(db);
const tracks = rows.map(({ id }) => id);

type Edit = Omit<RequestInput<typeof changePlaylist>['body'], '_id'>;

const track = fc.constantFrom(...tracks);
const some = fc.uniqueArray(track, { minLength: 1, maxLength: 4 });
const added = some.map((ids): Edit => ({ 'articles.added': ids }));
const removed = some.map((ids): Edit => ({ 'articles.removed': ids }));
const moved = fc
  .array(fc.tuple(track, fc.option(track, { nil: '' })), { minLength: 1, maxLength: 3 })
  .map((moves): Edit => ({ 'articles.moved': moves.map(([id, after]) => `${id}:${after}`) }));
const renamed = fc
  .integer({ min: 100_000, max: 999_999 })
  .map((number): Edit => ({ name: `Name ${number}` }));
const edits = fc.array(fc.oneof(added, removed, moved, renamed), { minLength: 1, maxLength: 8 });

const idsIn = (edit: Edit, field: 'articles.added' | 'articles.removed'): string[] =>
  [edit[field] ?? []].flat();

/** Applies an edit to a list: the expected result. */
function applyEdit(list: readonly string[], edit: Edit): string[] {
  const remaining = list.filter((id) => !idsIn(edit, 'articles.removed').includes(id));
  const longer = [...new Set([...remaining, ...idsIn(edit, 'articles.added')])];
  return [edit['articles.moved'] ?? []].flat().reduce((order, move) => {
    const [id = '', anchor = ''] = move.split(':');
    if (!order.includes(id) || id === anchor || (anchor !== '' && !order.includes(anchor))) return order;
    const others = order.filter((other) => other !== id);
    return others.toSpliced(anchor === '' ? 0 : others.indexOf(anchor) + 1, 0, id);
  }, longer);
}

async function newList(): Promise<string> {
  token = (await createUser()).token;
  const body = { name: 'Two devices', 'articles.added': tracks.slice(0, 3) };
  return (await call(createPlaylist, token, { body }))._id;
}

const send = (id: string, edit: Edit) => call(changePlaylist, token, { body: { _id: id, ...edit } });

/** Returns a playlist as a device that opens it receives it. */
async function seen(id: string) {
  const [list, content] = await Promise.all([
    call(findPlaylist, token, { params: { id } }),
    call(findPlaylistContent, token, { params: { id }, query: { limit: 100 } }),
  ]);
  const order = content.docs.map(({ _id }) => _id);
  const duration = content.docs.reduce((sum, { duration }) => sum + duration, 0);
  expect(list).toMatchObject({ totalTracks: order.length, totalDuration: duration });
  expect(content.totalDocs).toBe(order.length);
  return { name: list.name, order };
}

it('[LIST-06] edits of one device are applied', async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (mine) => {
      const id = await newList();
      for (const edit of mine) await send(id, edit);
      const names = mine.flatMap(({ name }) => name ?? []);
      expect(await seen(id)).toEqual({
        name: names.at(-1) ?? 'Two devices',
        order: mine.reduce<string[]>(applyEdit, tracks.slice(0, 3)),
      });
    }),
    { numRuns: 20 },
  );
});

it('[LIST-06] concurrent edits of two devices lose nothing and converge', async () => {
  await fc.assert(
    fc.asyncProperty(edits, edits, async (mine, theirs) => {
      const id = await newList();
      const device = async (all: Edit[]) => {
        for (const edit of all) await send(id, edit);
      };
      await Promise.all([device(mine), device(theirs)]);
      const [one, two] = await Promise.all([seen(id), seen(id)]);
      expect(one).toEqual(two);
      const all = [...mine, ...theirs];
      const added = new Set([...tracks.slice(0, 3), ...all.flatMap((edit) => idsIn(edit, 'articles.added'))]);
      const removed = new Set(all.flatMap((edit) => idsIn(edit, 'articles.removed')));
      const there = new Set(one.order);
      expect(one.order).toHaveLength(there.size);
      for (const id of tracks) {
        if (!added.has(id)) expect(there).not.toContain(id);
        else if (!removed.has(id)) expect(there).toContain(id);
      }
      const lastNames = [mine, theirs].flatMap((edits) => edits.flatMap(({ name }) => name ?? []).slice(-1));
      expect(lastNames.length === 0 ? ['Two devices'] : lastNames).toContain(one.name);
    }),
    { numRuns: 30 },
  );
});

it('[LIST-06] concurrent adds and removes of different tracks commute', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(tracks), fc.integer({ min: 0, max: 8 }), async (order, cut) => {
      const id = await newList();
      const [coming, going] = [order.slice(0, cut), order.slice(cut)];
      const adds = coming
        .flatMap((track) => [track, track])
        .map((track) => send(id, { 'articles.added': track }));
      const removes = going.map((track) => send(id, { 'articles.removed': track }));
      await Promise.all([...adds, ...removes]);
      const expected = [...tracks.slice(0, 3), ...coming].filter((track) => !going.includes(track));
      expect(new Set((await seen(id)).order)).toEqual(new Set(expected));
    }),
    { numRuns: 10 },
  );
});
