import { expect, it } from 'vitest';
import { verifySubscriptions } from './admin.ts';
import { startProvider } from './testing/provider.ts';

const { db, connection, newUser, buy } = await startProvider();
await buy(newUser());

it('[RCB-02] subscription events are append-only', async () => {
  await expect(db.updateTable('subscription_event').set({ kind: 'x' }).execute()).rejects.toThrow(
    'append-only',
  );
  await expect(db.deleteFrom('subscription_event').execute()).rejects.toThrow('append-only');
});

it('[RCB-02] verification reports a changed row', async () => {
  const row = await db.selectFrom('subscription').select(['id', 'state']).executeTakeFirstOrThrow();
  const change = (state: object) =>
    db
      .updateTable('subscription')
      .set({ state: JSON.stringify(state) })
      .where('id', '=', row.id)
      .execute();
  await change({ ...row.state, renewals: 99 });
  expect((await verifySubscriptions(connection)).differing).toMatchObject([{ id: row.id }]);
  await change(row.state);
});
