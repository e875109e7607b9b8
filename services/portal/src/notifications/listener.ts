import { type Connection, type Listener, type Log, listen } from '@escucho/database';
import type { NotificationRepository, NotificationRow } from './repository.ts';

/** So many are known by their ids, to be told once. */
const MAX_SEEN_IDS = 100;

interface NotificationListenerDeps {
  connection: Connection;
  notifications: Pick<NotificationRepository, 'find' | 'findPage' | 'findSince'>;
  log: Log;
  /** Called once for each notification that is written from now on. */
  onNew: (row: NotificationRow) => void;
}

/**
 * Hears of notifications that any process writes. What was written while the database could not be heard is made up for
 * as soon as it can.
 */
export function createNotificationListener({
  connection,
  notifications,
  log,
  onNew,
}: NotificationListenerDeps) {
  let listener: Promise<Listener> | undefined;
  let newest = new Date(0);
  let seenIds: string[] = [];

  const logError = (reason: unknown) => log.warn({ reason: String(reason) }, 'A notification was not told');

  /** Notes a notification. Out: whether it is new. */
  function markAsSeen({ id, created_at: at }: NotificationRow): boolean {
    if (seenIds.includes(id)) return false;
    seenIds = [...seenIds, id].slice(-MAX_SEEN_IDS);
    if (at > newest) newest = at;
    return true;
  }

  async function loadAndEmit(id: string): Promise<void> {
    const row = await notifications.find(id);
    if (row && markAsSeen(row)) onNew(row);
  }

  async function catchUp(): Promise<void> {
    const rows = await notifications.findSince(newest, MAX_SEEN_IDS);
    for (const row of rows) if (markAsSeen(row)) onNew(row);
  }

  async function subscribe(): Promise<Listener> {
    const { rows } = await notifications.findPage({ limit: MAX_SEEN_IDS, offset: 0 });
    rows.forEach(markAsSeen);
    return listen({
      ...{ connection, log, channel: 'portal_notification', name: 'portal notifications' },
      onMessage: (id) => void loadAndEmit(id).catch(logError),
      onReady: () => void catchUp().catch(logError),
    });
  }

  return {
    /** Listens from the first call on, so that a process without listeners costs no connection. Throws what the database throws. */
    async start(): Promise<void> {
      listener ??= subscribe();
      await listener.catch((error: unknown) => {
        listener = undefined;
        throw error;
      });
    },

    async close(): Promise<void> {
      await (await listener?.catch(() => undefined))?.close();
    },
  };
}

export type NotificationListener = ReturnType<typeof createNotificationListener>;
