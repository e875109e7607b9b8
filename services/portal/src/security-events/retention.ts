import { deleteAuditEvents } from '@escucho/audit';
import { defineJob, handleJob, type JobHandler } from '@escucho/jobs';
import * as z from 'zod/mini';
import type { Database } from '../database.ts';

const DAY_MS = 86_400_000;

const deleteOldAuditEvents = defineJob({ name: 'delete_old_audit_events', payload: z.object({}) });

/** Deletes old audit events, of all services, once a day. */
export const auditRetentionSchedule = { job: deleteOldAuditEvents, cron: '41 3 * * *' };

export const handleAuditRetention = (db: Database, days: number, clock: () => Date): JobHandler =>
  handleJob(deleteOldAuditEvents, () => deleteAuditEvents(db, new Date(clock().getTime() - days * DAY_MS)));
