import { type Connection, type Listener, type Log, listen } from '@escucho/database';
import type { NotificationRepository, NotificationRow } from './repository.ts';

/** So many are known by their ids, to be told once. */
const REMEMBERED = 100;

interface Ports {
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
export function announcements({ connection, notifications, log, onNew }: Ports) {
  let listener: Promise<Listener> | undefined;
  let newest = new Date(0);
  let told: string[] = [];

  const missed = (reason: unknown) => log.warn({ reason: String(reason) }, 'A notification was not told');

  /** Notes a notification. Out: whether it is new. */
  function note({ id, created_at: at }: NotificationRow): boolean {
    if (told.includes(id)) return false;
    told = [...told, id].slice(-REMEMBERED);
    if (at > newest) newest = at;
    return true;
  }

  async function hear(id: string): Promise<void> {
    const row = await notifications.find(id);
    if (row && note(row)) onNew(row);
  }

  async function catchUp(): Promise<void> {
    const rows = await notifications.findSince(newest, REMEMBERED);
    for (const row of rows) if (note(row)) onNew(row);
  }

  async function begin(): Promise<Listener> {
    const { rows } = await notifications.findPage({ limit: REMEMBERED, offset: 0 });
    rows.forEach(note);
    return listen({
      ...{ connection, log, channel: 'portal_notification', name: 'portal notifications' },
      onMessage: (id) => void hear(id).catch(missed),
      onReady: () => void catchUp().catch(missed),
    });
  }

  return {
    /** Listens from the first call on, so that a process without listeners costs no connection. Throws what the database throws. */
    async start(): Promise<void> {
      listener ??= begin();
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

export type Announcements = ReturnType<typeof announcements>;
