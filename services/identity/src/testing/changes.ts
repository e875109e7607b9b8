import type { Connection } from '@escucho/database';
import { watchRows } from '@escucho/database/testing';

/**
 * Creates a function that lists the rows that were changed since its last call, and resets counted attempts, which would
 * hide later errors. Refused requests may change some tables: they count attempts, or record that a challenge or code was used.
 */
export const watchIdentityRows = (connection: Connection) =>
  watchRows(connection, {
    schemas: ['identity'],
    ignoredTables: ['attempt_counter', 'rate_limit', 'used_handshake', 'verification_code'],
    reset: `
      delete from identity.attempt_counter;
      delete from identity.used_handshake;
      update identity.verification_code set failed_attempts = 0 where failed_attempts > 0`,
  });
