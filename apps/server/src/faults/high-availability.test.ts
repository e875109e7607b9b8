import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { expectRecovery } from '../testing/faults/load.ts';
import { startPatroniCluster } from '../testing/faults/patroni-cluster.ts';
import { prepareFaultyProduct } from '../testing/faults/product.ts';

const product = await prepareFaultyProduct(startPatroniCluster);
const { database: cluster } = product;

it('standbys serve reads of the catalogue', async () => {
  await product.createUsers();
  expect(await product.readMetrics()).toMatch(/^catalogue_reads_total\{outcome="replica"\} [1-9]/m);
});

it.each(['the first', 'the second'])(
  'the machine of %s primary is lost: no acknowledged write is lost, nobody is charged twice',
  async (which) => {
    const lost = await cluster.findPrimary();
    const { recoveryMs } = await expectRecovery(product, {
      fault: `the machine of ${which} primary is lost`,
      users: await product.createUsers(),
      cause: () => cluster.killMachine(lost),
    });
    expect(recoveryMs).toBeLessThan(30_000);
    expect(await cluster.findPrimary()).not.toBe(lost);
    await cluster.startMachine(lost);
    await cluster.waitUntilComplete();
  },
);

it('the primary and the process are lost at once', async () => {
  const lost = await cluster.findPrimary();
  await expectRecovery(product, {
    fault: 'the primary and the process are lost',
    users: await product.createUsers(),
    cause: async () => {
      await cluster.killMachine(lost);
      await product.killProcess();
    },
  });
  await cluster.startMachine(lost);
  await cluster.waitUntilComplete();
});

it('another machine becomes the primary on request', async () => {
  const before = await cluster.findPrimary();
  await expectRecovery(product, {
    fault: 'another machine becomes the primary on request',
    users: await product.createUsers(),
    cause: cluster.switchPrimary,
  });
  expect(await cluster.findPrimary()).not.toBe(before);
  await cluster.waitUntilComplete();
});

it('the database is restored to the moment before a mistake', async () => {
  const [user] = await product.createUsers();
  await cluster.backUp();
  // pgBackRest finds backups that are older than a moment by whole seconds.
  await delay(2000);
  let isOver = false;
  const writing = user?.write(() => isOver);
  await expect.poll(() => user?.acknowledgedAt.length).toBeGreaterThan(10);
  isOver = true;
  await writing;
  const moment = await cluster.query('select clock_timestamp()');
  await cluster.query('delete from portal.listening_event');
  expect(await user?.findLost()).not.toEqual([]);
  await cluster.restore(moment);
  expect(await user?.findLost()).toEqual([]);
});
