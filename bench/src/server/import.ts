import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, migrateSchemas, openDatabase, startEmbedded } from '@escucho/database';
import { openMediaStore, schema } from '@escucho/portal';
import { importContent } from '@escucho/portal/content';
import { sql } from 'kysely';
import { type CpuTime, readCpuTime } from '../../../apps/server/src/testing/cpu-time.ts';
import { root } from '../../../e2e/support/product.ts';
import type { Measurement, Result } from '../measurement.ts';

const ROUNDS = 3;
const RECORDINGS = 96;
const SENTENCES = 12;
const workDir = join(root, '.cache/bench-import');
const folder = join(workDir, 'recordings');
const media = join(workDir, 'media');
const copies = join(workDir, 'copies');
const audioFile = join(root, 'content/library/the-piano-upstairs/audio.mp3');
const lines = Array.from(
  { length: SENTENCES },
  (_, number) => `This is the sentence with the number ${number}.`,
);

/** Writes recordings of a minute and a half with their texts, each with different bytes. */
function writeRecordings(): void {
  rmSync(workDir, { recursive: true, force: true });
  for (const path of [folder, media, copies]) mkdirSync(path, { recursive: true });
  const bytes = readFileSync(audioFile);
  for (let number = 0; number < RECORDINGS; number += 1) {
    const copy = Buffer.from(bytes);
    // Inside the audio data, so that each file has its own content hash.
    copy.writeUInt32BE(number, 100_000);
    writeFileSync(join(folder, `${number}.mp3`), copy);
    writeFileSync(join(folder, `${number}.md`), `---\ntitle: Article ${number}\n---\n${lines.join(' ')}\n`);
  }
}

async function measureRate(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return RECORDINGS / ((performance.now() - before) / 1000);
}

/** Copies files and writes plain rows, with one transaction per recording. */
async function importBare(connection: Connection): Promise<void> {
  const db = openDatabase<object>({ connection, schema, name: 'bench', maxConnections: 1 });
  await sql`drop table if exists bare_article, bare_sentence`.execute(db);
  await sql`create table bare_article (id integer primary key, title text, body jsonb)`.execute(db);
  await sql`create table bare_sentence (article integer, number integer, words text, primary key (article, number))`.execute(
    db,
  );
  const files = readdirSync(folder).filter((name) => name.endsWith('.mp3'));
  for (const [id, file] of files.entries()) {
    copyFileSync(join(folder, file), join(copies, file));
    await db.transaction().execute(async (transaction) => {
      await sql`insert into bare_article values (${id}, ${file}, '{}')`.execute(transaction);
      await sql`insert into bare_sentence select ${id}, number, words
        from unnest(${lines}::text[]) with ordinality as line (words, number)`.execute(transaction);
    });
  }
  await db.destroy();
}

async function deleteArticles(connection: Connection): Promise<void> {
  const db = openDatabase<object>({ connection, schema, name: 'bench', maxConnections: 1 });
  await sql`delete from article`.execute(db);
  await db.destroy();
  rmSync(media, { recursive: true, force: true });
}

async function measure(): Promise<Result[]> {
  writeRecordings();
  const { connection, stop } = await startEmbedded({ dataDir: join(workDir, 'postgres') });
  const newRates: number[] = [];
  const unchangedRates: number[] = [];
  const bareRates: number[] = [];
  const cpuTimes: Record<keyof CpuTime, number[]> = { own: [], endedChildren: [], descendants: [] };
  try {
    await migrateSchemas({
      connection,
      schemas: [{ schema, directory: join(root, 'services/portal/migrations') }],
    });
    const metadata = { language: 'en', level: 'B1', topic: 'stories', narrator: 'Ada' };
    const runImport = async () => {
      const mediaStore = await openMediaStore({ directory: media });
      const scratchFolder = join(workDir, 'scratch');
      const options = { connection, mediaStore, source: folder, metadata, scratchFolder };
      const { failed } = await importContent(options);
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await deleteArticles(connection);
      bareRates.push(await measureRate(() => importBare(connection)));
      const before = readCpuTime(process.pid);
      newRates.push(await measureRate(runImport));
      const after = readCpuTime(process.pid);
      for (const key of ['own', 'endedChildren', 'descendants'] as const)
        cpuTimes[key].push((after[key] - before[key]) / RECORDINGS);
      unchangedRates.push(await measureRate(runImport));
    }
  } finally {
    await stop();
    rmSync(workDir, { recursive: true, force: true });
  }
  return [
    { label: 'new recordings, articles per second', unit: '/s', values: newRates, ceiling: bareRates },
    { label: 'new recording, CPU time of ffmpeg', unit: 'ms', values: cpuTimes.endedChildren },
    { label: 'new recording, CPU time of Node.js, including images', unit: 'ms', values: cpuTimes.own },
    { label: 'new recording, CPU time of PostgreSQL', unit: 'ms', values: cpuTimes.descendants },
    {
      label: 'unchanged recordings, articles per second',
      unit: '/s',
      values: unchangedRates,
      ceiling: bareRates,
    },
  ];
}

export const importing: Measurement = {
  name: 'import',
  title: 'Import',
  method: `${RECORDINGS} recordings of a minute and a half with ${SENTENCES} sentences each, imported by \`content -- import\`: ffmpeg measures loudness and pauses, a cover is drawn, times are estimated, and the search index is filled; ${ROUNDS} rounds. Ceiling: copying the files and writing plain rows into tables without search indexes, one transaction per article, in the same rounds.`,
  measure,
};
