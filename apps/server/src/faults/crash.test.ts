import { describe, it } from 'vitest';
import { startBreakableDatabase } from '../testing/faults/breakable-database.ts';
import { expectRecovery } from '../testing/faults/load.ts';
import { prepareFaultyProduct } from '../testing/faults/product.ts';

const product = await prepareFaultyProduct(startBreakableDatabase);
const { database } = product;

describe('under load, no acknowledged write is lost and nobody is charged twice when', () => {
  it.each<[name: string, cause: () => Promise<void>]>([
    ['the process is killed', product.killProcess],
    ['PostgreSQL restarts', () => database.stop().then(database.start)],
  ])('%s', async (fault, cause) => {
    await expectRecovery(product, { fault, users: await product.createUsers(), cause });
  });
});
