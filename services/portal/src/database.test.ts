import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { openPortalDatabase } from './database.ts';
import { startPortal } from './testing/portal.ts';

const { connection } = await startPortal();

it('statements are planned once per connection, also those whose arrays have one value', async () => {
  const db = openPortalDatabase(connection, { name: 'test', maxConnections: 1 });
  onTestFinished(() => db.destroy());
  for (let execution = 0; execution < 10; execution += 1)
    await sql`select id from users where subject = any(${[`user-${execution}`]})`.execute(db);
  const { rows } = await sql`
    select generic_plans as "once", custom_plans as "anew" from pg_prepared_statements
    where statement like '%from users where subject%' and statement not like '%pg_prepared%'`.execute(db);
  expect(rows).toEqual([{ once: 10, anew: 0 }]);
});
