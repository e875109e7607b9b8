import { randomUUID } from 'node:crypto';
import { api, type ProgressCause } from '@escucho/contracts';
import type { startPortal } from './portal.ts';

const { saveProgress, findContinueListening } = api.listening;

type Portal = Pick<Awaited<ReturnType<typeof startPortal>>, 'call' | 'createUser' | 'articleId'>;

/** Creates a user with a device, which numbers the entries that it sends. */
export async function createListener(
  { call, createUser, articleId }: Portal,
  options: { subscribed?: boolean } = {},
) {
  const user = await createUser(options);
  const createDevice = (token: string, id = randomUUID()) => {
    let sequence = 0;
    const save = (
      slug: string,
      position: number,
      cause: ProgressCause = 'tick',
      entrySequence = ++sequence,
    ) =>
      call(saveProgress, token, {
        body: { track: articleId(slug), device: id, sequence: entrySequence, position, cause },
      }).then(({ progress }) => progress);
    return { id, save };
  };
  const findStarted = async (query = {}) => {
    const { docs, totalDocs } = await call(findContinueListening, user.token, { query });
    return { docs, totalDocs, positions: docs.map(({ _id, progress }) => [_id, progress]) };
  };
  return {
    ...user,
    createDevice: () => createDevice(user.token),
    device: createDevice(user.token),
    findStarted,
  };
}
