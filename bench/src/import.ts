import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, migrate, openDatabase, startEmbedded } from '@escucho/database';
import { migrationsDirectory, openMediaStore, schema } from '@escucho/portal';
import { importContent } from '@escucho/portal/content';
import { sql } from 'kysely';
import { root } from '../../e2e/support/product.ts';
import type { Figure, Measurement } from './figure.ts';
import { type ProcessorTime, processorTime } from './processor.ts';

const rounds = 3;
const pieces = 24;
const sentences = 12;
const place = join(root, '.cache/bench-import');
const folder = join(place, 'recordings');
const media = join(place, 'media');
const copies = join(place, 'copies');
const sound = join(root, 'content/library/the-piano-upstairs/audio.mp3');
const lines = Array.from(
  { length: sentences },
  (_, number) => `This is the sentence with the number ${number}.`,
);

/** Recordings of two minutes with their texts, each in other bytes. */
function writeRecordings(): void {
  rmSync(place, { recursive: true, force: true });
  for (const path of [folder, media, copies]) mkdirSync(path, { recursive: true });
  const bytes = readFileSync(sound);
  for (let number = 0; number < pieces; number += 1) {
    const own = Buffer.from(bytes);
    // Somewhere in the sound, so that each has an address of its own.
    own.writeUInt32BE(number, 100_000);
    writeFileSync(join(folder, `${number}.mp3`), own);
    writeFileSync(join(folder, `${number}.md`), `---\ntitle: Piece ${number}\n---\n${lines.join(' ')}\n`);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return pieces / ((performance.now() - before) / 1000);
}

/** The least that must happen: files copied, rows written, a transaction for each piece. */
async function bare(connection: Connection): Promise<void> {
  const db = openDatabase<object>({ connection, schema, name: 'bench', maxConnections: 1 });
  await sql`drop table if exists bare_piece, bare_sentence`.execute(db);
  await sql`create table bare_piece (id integer primary key, title text, body jsonb)`.execute(db);
  await sql`create table bare_sentence (piece integer, number integer, words text, primary key (piece, number))`.execute(
    db,
  );
  const files = readdirSync(folder).filter((name) => name.endsWith('.mp3'));
  for (const [id, file] of files.entries()) {
    copyFileSync(join(folder, file), join(copies, file));
    await db.transaction().execute(async (transaction) => {
      await sql`insert into bare_piece values (${id}, ${file}, '{}')`.execute(transaction);
      await sql`insert into bare_sentence select ${id}, number, words
        from unnest(${lines}::text[]) with ordinality as line (words, number)`.execute(transaction);
    });
  }
  await db.destroy();
}

async function empty(connection: Connection): Promise<void> {
  const db = openDatabase<object>({ connection, schema, name: 'bench', maxConnections: 1 });
  await sql`delete from article`.execute(db);
  await db.destroy();
  rmSync(media, { recursive: true, force: true });
}

async function measure(): Promise<Figure[]> {
  writeRecordings();
  const { connection, stop } = await startEmbedded({ dataDir: join(place, 'postgres') });
  const fresh: number[] = [];
  const again: number[] = [];
  const least: number[] = [];
  const spent: Record<keyof ProcessorTime, number[]> = { own: [], ended: [], below: [] };
  try {
    await migrate({ connection, schema, directory: migrationsDirectory });
    const metadata = { language: 'en', level: 'B1', topic: 'stories', narrator: 'Ada' };
    const run = async () => {
      const mediaStore = await openMediaStore({ directory: media });
      const scratchFolder = join(place, 'scratch');
      const options = { connection, mediaStore, source: folder, metadata, scratchFolder };
      const { failed } = await importContent(options);
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
    };
    for (let round = 0; round < rounds; round += 1) {
      await empty(connection);
      least.push(await timed(() => bare(connection)));
      const before = processorTime(process.pid);
      fresh.push(await timed(run));
      const after = processorTime(process.pid);
      for (const who of ['own', 'ended', 'below'] as const)
        spent[who].push((after[who] - before[who]) / pieces);
      again.push(await timed(run));
    }
  } finally {
    await stop();
    rmSync(place, { recursive: true, force: true });
  }
  return [
    { what: 'new recordings, articles per second', unit: '/s', ours: fresh, ceiling: least },
    { what: 'new recording, CPU time of ffmpeg', unit: 'ms', ours: spent.ended },
    { what: 'new recording, CPU time of Node.js, including images', unit: 'ms', ours: spent.own },
    { what: 'new recording, CPU time of PostgreSQL', unit: 'ms', ours: spent.below },
    { what: 'unchanged recordings, articles per second', unit: '/s', ours: again, ceiling: least },
  ];
}

export const importing: Measurement = {
  name: 'import',
  title: 'Import',
  how: `${pieces} recordings of two minutes with ${sentences} sentences each, imported by \`content -- import\`: ffmpeg measures loudness and pauses, two images are rendered, times are estimated, and the search index is filled; ${rounds} rounds. Ceiling: copying the files and writing plain rows into tables without search indexes, one transaction per article, in the same rounds.`,
  measure,
};
