import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { type Kysely, sql } from 'kysely';
import type { Environment } from '../measurement.ts';

/** Enough that a load test stays below the rate limits of each. */
const USERS = 1000;
const TRACKS_STARTED = 8;

/**
 * Creates subscribers of a mobile operator, because their tokens are signed with a key of the data directory. Each has
 * started a few tracks.
 *
 * @returns their Authorization headers
 */
export async function createUsers({ dataDir }: Pick<Environment, 'dataDir'>, db: Kysely<object>) {
  const { readerTokenSecret } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
  const subjects = Array.from({ length: USERS }, (_, number) => `operator:bitel:bench-${number}`);
  await sql`
    insert into users (subject, platform, operator_checked_at, created_at, updated_at)
    select subject, 'bitel', now(), now(), now() from unnest(${subjects}::text[]) subject
    on conflict (subject) do update set operator_checked_at = now()
  `.execute(db);
  await sql`
    insert into listening_progress (user_id, article_id, position, in_continue_listening, listened_at)
    select u.id, a.id, 30, true, now()
    from users u cross join (select id from article order by published_at desc limit ${TRACKS_STARTED}) a
    where u.subject = any(${subjects})
    on conflict do nothing
  `.execute(db);
  const key = new TextEncoder().encode(readerTokenSecret);
  return Promise.all(
    subjects.map(async (subject) => {
      const token = new SignJWT({})
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer('escucho-portal')
        .setAudience('escucho-operator-readers')
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('1d');
      return `Bearer ${await token.sign(key)}`;
    }),
  );
}
