import { onTestFinished } from 'vitest';
import { createDeferred } from './deferred.ts';

/**
 * Mocks the Web Locks API, which jsdom lacks. A lock is granted to one request at a time, in their order.
 *
 * @returns a function that takes a lock as another tab does, and returns the one that releases it; and a function that
 * returns how many requests wait
 */
export function mockLocks() {
  const queues = new Map<string, (() => Promise<void>)[]>();

  const grantNext = async (queue: (() => Promise<void>)[]) => {
    while (queue[0]) {
      await queue[0]();
      queue.shift();
    }
  };

  const request = <Result>(
    name: string,
    { signal }: { signal?: AbortSignal },
    callback: () => Promise<Result>,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(name) ?? [];
      queues.set(name, queue);
      const run = async () => {
        signal?.removeEventListener('abort', abort);
        await callback().then(resolve, reject);
      };
      const abort = () => {
        queue.splice(queue.indexOf(run), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort);
      if (queue.push(run) === 1) void grantNext(queue);
    });

  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));

  return {
    lockInOtherTab: (name: string): (() => void) => {
      const { promise, resolve: release } = createDeferred();
      void request(name, {}, () => promise);
      return release;
    },
    countWaiting: (name: string): number => Math.max(0, (queues.get(name)?.length ?? 0) - 1),
  };
}
