import { randomUUID } from 'node:crypto';
import { api } from '@escucho/contracts';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { db, createUser, send, rowCounts } = await startPortal();

it('[SHELL-03] deletes an account with more events than the timeout of a statement allows', async () => {
  const { id, token } = await createUser();
  const { listening_event: others = 0 } = await rowCounts();
  await sql`insert into listening_event
      (user_id, device_id, sequence, article_id, position, cause, occurred_at, received_at)
    select ${id}, ${randomUUID()}, number, ${randomUUID()}, 0, 'tick', now(), now()
    from generate_series(1, 4500) number`.execute(db);
  await sql`create function time_out() returns trigger language plpgsql as $$
    begin
      if (select count(*) from removed) > 2000 then raise query_canceled; end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger time_out after delete on listening_event
    referencing old table as removed for each statement execute function time_out()`.execute(db);
  expect((await send(api.account.deleteAccount, { token })).statusCode).toBe(200);
  expect((await rowCounts()).listening_event).toBe(others);
});
