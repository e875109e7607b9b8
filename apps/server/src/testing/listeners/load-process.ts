import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { contentLanguage, level } from '@escucho/contracts';
import { createClient } from './client.ts';
import { createListener, type ListedTrack } from './listener.ts';
import type { AcknowledgedPosition } from './progress.ts';
import { createRecorder, type LoadReport, type Operation } from './recorder.ts';
import { createSession, type Session } from './session.ts';

// The users of the test `listeners`, in a process of its own. Commands come as messages of the parent.

export interface LoadOptions {
  origin: string;
  clientId: string;
  password: string;
  emails: readonly string[];
  browsePerSecond: number;
  signInsPerSecond: number;
}

export type LoadCommand =
  | { name: 'start'; options: LoadOptions }
  | { name: 'measure' }
  | { name: 'failover'; value: boolean }
  | { name: 'stop' };

/** What one listener's device was told to be saved. */
export interface DeviceReport {
  email: string;
  device: string;
  acknowledged: readonly AcknowledgedPosition[];
  rejected: readonly string[];
}

export type LoadEvent =
  | { name: 'playing' }
  | { name: 'stopped'; report: LoadReport; devices: DeviceReport[]; eventLoopP99Ms: number };

const TICKS_PER_SECOND = 20;
/** Positions that were not acknowledged yet when the load ends are sent until they are. */
const PAUSE_MS = 1000;

const recorder = createRecorder();
const eventLoopDelay = monitorEventLoopDelay();
const send = (event: LoadEvent) => process.send?.(event);
const timers: NodeJS.Timeout[] = [];

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
function createBrowsing(trackIds: readonly string[], words: readonly string[]) {
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

const toAddress = (index: number) => `10.20.${index >> 8}.${index & 255}`;

/** Returns the newest articles, with their titles and whether users without a subscription may play them. */
async function findArticles(
  session: Session,
): Promise<(ListedTrack & { title: string; url: string | null })[]> {
  const { status, body } = await session.send({ path: '/api/catalogue/articles?limit=100' });
  if (status !== 200) throw new Error(`The list of articles: ${status}`);
  return JSON.parse(body).docs;
}

async function start(options: LoadOptions) {
  const { origin, clientId, password, emails } = options;
  const tracks: ListedTrack[] = [];
  const users = emails.map((email, index) => {
    const client = createClient(origin, toAddress(index));
    const session = createSession({ client, recorder, clientId, email, password });
    return { email, session, listener: createListener({ client, session, recorder, tracks }) };
  });
  const [first] = users;
  if (!first) throw new Error('There are no users.');
  await first.session.signIn();
  const articles = await findArticles(first.session);
  tracks.push(...articles.filter(({ url }) => url !== null));

  let tick = 0;
  timers.push(
    setInterval(() => {
      tick += 1;
      for (let index = tick % TICKS_PER_SECOND; index < users.length; index += TICKS_PER_SECOND)
        users[index]?.listener.tick();
    }, 1000 / TICKS_PER_SECOND),
  );

  await Promise.all(
    users.map(async (user, index) => {
      await delay((index / options.signInsPerSecond) * 1000);
      await user.session.signIn();
      await user.listener.start();
    }),
  );
  const ids = articles.map(({ _id }) => _id);
  const words = articles.flatMap(({ title }) => title.split(' '));
  const browse = createBrowsing(ids, words);
  timers.push(
    setInterval(() => {
      const user = users[Math.floor(Math.random() * users.length)];
      if (user) void browse(user.session);
    }, 1000 / options.browsePerSecond),
  );
  send({ name: 'playing' });
  return users;
}

let starting: ReturnType<typeof start> | undefined;

function startMeasuring(): void {
  recorder.reset();
  eventLoopDelay.enable();
  eventLoopDelay.reset();
}

async function stop(): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  const report = recorder.report();
  const users = (await starting) ?? [];
  await Promise.all(
    users.map(async ({ listener }) => {
      while (!(await listener.progress.flush())) await delay(PAUSE_MS);
    }),
  );
  const devices = users.map(({ email, listener: { progress } }) => ({
    email,
    device: progress.device,
    acknowledged: progress.acknowledged,
    rejected: progress.rejected,
  }));
  send({
    name: 'stopped',
    report,
    devices,
    eventLoopP99Ms: eventLoopDelay.percentile(99) / 1e6,
  });
}

process.on('message', (command: LoadCommand) => {
  if (command.name === 'start') starting = start(command.options);
  if (command.name === 'measure') startMeasuring();
  if (command.name === 'failover') recorder.setFailover(command.value);
  if (command.name === 'stop') void stop();
});

// An aborted test must not leave its users.
process.on('disconnect', () => process.exit());
