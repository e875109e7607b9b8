import type { Connection } from '@escucho/database';
import { isUuid } from '../crypto.ts';
import { openIdentityDatabase } from '../database.ts';
import { sessionRepository } from './repository.ts';

interface SessionReaderOptions {
  connection: Connection;
  clock?: () => Date;
}

/** Creates the reader by which services of the same installation see that a session has ended. Call `close` at the end. */
export function createSessionReader({ connection, clock = () => new Date() }: SessionReaderOptions) {
  const db = openIdentityDatabase(connection, 'escucho identity sessions', 2);
  return {
    /**
     * Returns whether a session is active: neither signed out, revoked nor expired, of an account that exists and is enabled.
     * @param sessionId the `origin_jti` claim
     * @param subject the `sub` claim
     */
    async isSessionActive(sessionId: string, subject: string): Promise<boolean> {
      return (
        isUuid(sessionId) && isUuid(subject) && sessionRepository.isActive(db, sessionId, subject, clock())
      );
    },
    close: () => db.destroy(),
  };
}
