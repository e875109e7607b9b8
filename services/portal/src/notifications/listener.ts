import { type Connection, type Listener, type Log, listen } from '@escucho/database';
import type { NotificationRepository, NotificationRow } from './repository.ts';

/** So many notifications are recognized as already emitted. */
const MAX_SEEN_IDS = 100;

interface NotificationListenerDeps {
  connection: Connection;
  notifications: Pick<NotificationRepository, 'find' | 'findPage' | 'findSince'>;
  log: Log;
  /** Called once for each notification published from now on. */
  onNew: (row: NotificationRow) => void;
}

/**
 * Listens for notifications that any process publishes (PostgreSQL's LISTEN). Those published while the connection was
 * lost are emitted as soon as it is back.
 */
export function createNotificationListener(deps: NotificationListenerDeps) {
  const { connection, notifications, log, onNew } = deps;
  let listener: Promise<Listener> | undefined;
  let newest = new Date(0);
  let seenIds: string[] = [];

  const logError = (error: unknown) =>
    log.warn({ reason: String(error) }, 'a notification could not be read');

  /** Returns whether the notification had not been seen. */
  function markAsSeen({ id, created_at: at }: NotificationRow): boolean {
    if (seenIds.includes(id)) return false;
    seenIds = [...seenIds, id].slice(-MAX_SEEN_IDS);
    if (at > newest) newest = at;
    return true;
  }

  async function emit(id: string): Promise<void> {
    const row = await notifications.find(id);
    if (row && markAsSeen(row)) onNew(row);
  }

  async function emitMissed(): Promise<void> {
    const rows = await notifications.findSince(newest, MAX_SEEN_IDS);
    for (const row of rows) if (markAsSeen(row)) onNew(row);
  }

  async function subscribe(): Promise<Listener> {
    const { rows } = await notifications.findPage({ limit: MAX_SEEN_IDS, offset: 0 });
    rows.forEach(markAsSeen);
    return listen({
      connection,
      log,
      channel: 'portal_notification',
      name: 'portal notifications',
      onMessage: (id) => void emit(id).catch(logError),
      onReady: () => void emitMissed().catch(logError),
    });
  }

  return {
    /** Starts listening on the first call, so that a process without streams needs no connection. */
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
