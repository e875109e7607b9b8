import { setTimeout as delay } from 'node:timers/promises';
import { contentLanguage, level } from '@escucho/contracts';
import type { Operation, Recorder } from './recorder.ts';
import type { Session } from './session.ts';

/** As TanStack Query in the web app: two repetitions, after one and two seconds. */
const RETRY_DELAYS_MS = [1000, 2000];
const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };

const pick = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)];

/** What is requested, and how often of ten times. */
const createPaths = (trackIds: readonly string[], words: readonly string[]): readonly (() => string)[] => {
  const discover = () => '/api/catalogue/discover';
  const list = () =>
    `/api/catalogue/articles?level=${pick(level.options)}&language=${pick(contentLanguage.options)}&limit=20`;
  const article = () => `/api/catalogue/read/${pick(trackIds)}`;
  const search = () => `/api/catalogue/search?q=${encodeURIComponent(`${pick(words)} ${pick(words)}`)}`;
  return [discover, discover, list, list, list, article, article, search, search, search];
};

/** Creates the browsing of users: Discover, lists, articles and searches. */
export function createBrowsing(recorder: Recorder, trackIds: readonly string[], words: readonly string[]) {
  const paths = createPaths(trackIds, words);
  return async (session: Session): Promise<void> => {
    const path = pick(paths)?.() ?? '';
    const operation: Operation = path.includes('/search') ? 'search' : 'browsing';
    const startedAt = performance.now();
    for (let attempts = 1; ; attempts += 1) {
      const { status, name } = await session.send({ path, headers, isDiscarded: true });
      if (status === 200) return recorder.succeed(operation, performance.now() - startedAt, attempts);
      recorder.fail(operation, name);
      const retryDelay = RETRY_DELAYS_MS[attempts - 1];
      if (retryDelay === undefined || (status >= 400 && status < 500)) return recorder.giveUp(operation);
      await delay(retryDelay);
    }
  };
}
