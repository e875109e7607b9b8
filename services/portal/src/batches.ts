import { resolveWithin } from '@escucho/database';
import DataLoader from 'dataloader';

const MAX_BATCH_SIZE = 100;
/** A batch may wait long for a lock or on a lost connection; the next one then starts beside it. */
const MAX_WAIT_MS = 1000;

/**
 * Creates a function that processes items in batches: those that arrive while a batch is processed are the next one (group
 * commit). An item that arrives alone does not wait.
 *
 * @param process - returns a result or an error for each item, in order
 * @returns a function that resolves to the result of an item
 */
export function createBatcher<Item, Result>(
  process: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
): (item: Item) => Promise<Result> {
  let processing: Promise<unknown> = Promise.resolve();
  let previous: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader<Item, Result>(
    (items) => {
      const results = process(items);
      processing = results;
      return results;
    },
    {
      cache: false,
      maxBatchSize: MAX_BATCH_SIZE,
      batchScheduleFn(dispatch) {
        previous = previous.then(() => {
          dispatch();
          return resolveWithin(MAX_WAIT_MS, processing, undefined);
        });
      },
    },
  );
  return (item) => loader.load(item);
}
