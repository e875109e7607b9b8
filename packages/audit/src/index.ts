export { registerAuditContext, runAsAdmin, runAsSystem, setAuditSource } from './context.ts';
export { type AuditEvent, auditEvents, isAuditEventType, isFailure } from './events.ts';
export { maskEmail, parseAddress, parseDevice, redactText, shortenNetwork } from './personal-data.ts';
export {
  type AuditFilter,
  anonymizeAuditEvents,
  deleteAuditEvents,
  findAuditEvents,
  findUserEvents,
  recordAuditEvent,
  recordAuditEvents,
  type StoredAuditEvent,
  schema,
} from './repository.ts';
