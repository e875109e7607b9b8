import { findUserEvents, isFailure, type StoredAuditEvent } from '@escucho/audit';
import { type SecurityEvent, securityEventTypes } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/user.ts';
import type { Database } from '../database.ts';

function toSecurityEvent(event: StoredAuditEvent): SecurityEvent[] {
  const type = securityEventTypes.find((name) => name === event.type);
  if (!type) return [];
  const { id, actor, network, browser, system, details } = event;
  const device = browser === null || system === null ? null : { browser, system };
  const occurredAt = event.occurredAt.toISOString();
  return [{ id, type, occurredAt, isFailure: isFailure(type), actor, device, network, details }];
}

/** Shows users the audit events about their own account, those of the identity and the billing provider included. */
export const createSecurityEventService = (db: Database) => ({
  /** @param page - `after` is the id of the last event of the previous page */
  async findEvents(
    { id, subject }: Pick<CurrentUser, 'id' | 'subject'>,
    page: { after?: string | undefined; limit: number },
  ): Promise<{ docs: SecurityEvent[]; totalDocs: number }> {
    const { events, total } = await findUserEvents(db, [id, subject], page);
    return { docs: events.flatMap(toSecurityEvent), totalDocs: total };
  },
});

export type SecurityEventService = ReturnType<typeof createSecurityEventService>;
