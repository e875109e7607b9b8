import { deleteAuditEvents, findUserEvents, isFailure, type StoredAuditEvent } from '@escucho/audit';
import { api, type SecurityEvent, securityEventTypes } from '@escucho/contracts';
import { defineJob, handleJob, type JobHandler } from '@escucho/jobs';
import * as z from 'zod/mini';
import type { CurrentUser, Route } from '../accounts/user.ts';
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

type SecurityEventService = ReturnType<typeof createSecurityEventService>;

const DAY_MS = 86_400_000;

const deleteOldAuditEvents = defineJob({ name: 'delete_old_audit_events', payload: z.object({}) });

/** Deletes old audit events, of all services, once a day. */
export const auditRetentionSchedule = { job: deleteOldAuditEvents, cron: '41 3 * * *' };

export const handleAuditRetention = (db: Database, days: number, clock: () => Date): JobHandler =>
  handleJob(deleteOldAuditEvents, () => deleteAuditEvents(db, new Date(clock().getTime() - days * DAY_MS)));

/** Registers the endpoint of security events. */
export function registerSecurityEvents(route: Route, securityEvents: SecurityEventService): void {
  route(api.account.findSecurityEvents).handle(({ user, query }) => securityEvents.findEvents(user, query));
}
