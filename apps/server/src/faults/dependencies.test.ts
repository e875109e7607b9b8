import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startBreakableDatabase } from '../testing/faults/breakable-database.ts';
import { expectRecovery, HOLD_MS, hold } from '../testing/faults/load.ts';
import { prepareFaultyProduct } from '../testing/faults/product.ts';

const product = await prepareFaultyProduct(startBreakableDatabase);
const { proxies, database, moveClock } = product;

const SLOW_MS = 2000;
const faults: [name: string, cause: () => Promise<void>][] = [
  ['PostgreSQL is stopped', () => hold(database.stop, database.start)],
  ['the network to the database is cut', () => hold(database.proxy.cut, database.proxy.restore)],
  ['the media store is down', () => hold(proxies.store.refuse, proxies.store.restore)],
  ['the media store is slow', () => hold(() => proxies.store.slow(SLOW_MS), proxies.store.restore)],
  ['the payment gateway is down', () => hold(proxies.gateway.refuse, proxies.gateway.restore)],
  ['the payment gateway is slow', () => hold(() => proxies.gateway.slow(SLOW_MS), proxies.gateway.restore)],
  ['the clock of the process is an hour ahead', () => hold(moveClock, moveClock)],
];

describe('under load, no acknowledged write is lost and nobody is charged twice when', () => {
  it.each(faults)('%s', async (fault, cause) => {
    await expectRecovery(product, { fault, users: await product.createUsers(), cause });
  });

  it('the mail server is down; mail is sent afterwards, once', async () => {
    const users = await product.createUsers();
    const countMails = () =>
      users.map(({ email }) => product.mail.received.filter(({ to }) => to.includes(email)).length);
    const cause = async () => {
      proxies.mail.refuse();
      await Promise.all(users.map((user) => user.requestPasswordCode()));
      await delay(HOLD_MS);
      expect(countMails()).toEqual(users.map(() => 0));
      proxies.mail.restore();
    };
    await expectRecovery(product, { fault: 'the mail server is down', users, cause });
    expect(countMails()).toEqual(users.map(() => 1));
  });
});
