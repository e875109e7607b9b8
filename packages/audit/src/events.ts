import type { securityEventTypes } from '@escucho/contracts';

type UserEventType = (typeof securityEventTypes)[number];
/** Kinds of events that have no user, or that only the administration sees. */
type InternalEventType = 'account_deletion_failed' | 'admin_command' | 'admin_command_failed';

interface EventDefinition {
  /** Whether an attempt was refused or failed. */
  readonly isFailure?: true;
  /** The names of its details. */
  readonly details?: readonly string[];
}

/** Every kind of audit event. Users see those of `securityEventTypes` about their own account. */
export const auditEvents = {
  account_created: { details: ['method'] },
  signed_in: { details: ['method'] },
  sign_in_failed: { isFailure: true, details: ['method', 'reason'] },
  account_locked: { isFailure: true, details: ['method'] },
  signed_out: {},
  session_revoked: {},
  sessions_revoked: {},
  refresh_token_reused: { isFailure: true },
  authorization_code_reused: { isFailure: true },
  code_sent: { details: ['purpose', 'email'] },
  code_redeemed: { details: ['purpose'] },
  code_rejected: { isFailure: true, details: ['purpose', 'reason'] },
  password_changed: {},
  password_reset: {},
  password_reset_required: {},
  email_verified: { details: ['email'] },
  email_change_requested: { details: ['email'] },
  email_changed: { details: ['email'] },
  mfa_enabled: { details: ['method'] },
  mfa_disabled: { details: ['method'] },
  mfa_failed: { isFailure: true, details: ['method'] },
  recovery_codes_created: {},
  recovery_code_used: {},
  passkey_added: {},
  passkey_removed: {},
  account_disabled: {},
  account_enabled: {},
  account_deleted: {},
  account_deletion_failed: { isFailure: true, details: ['method', 'reason'] },
  data_exported: {},
  subscription_started: { details: ['product', 'store'] },
  subscription_cancelled: { details: ['product'] },
  subscription_resumed: { details: ['product'] },
  subscription_ended: { details: ['product', 'reason'] },
  plan_changed: { details: ['product'] },
  card_replaced: {},
  payment_refunded: { details: ['product', 'amount', 'currency'] },
  payment_disputed: { details: ['product', 'amount', 'currency'] },
  admin_command: { details: ['command', 'arguments'] },
  admin_command_failed: { isFailure: true, details: ['command', 'arguments', 'reason'] },
} as const satisfies Record<UserEventType | InternalEventType, EventDefinition>;

type AuditEvents = typeof auditEvents;
export type AuditEventType = keyof AuditEvents;

type DetailName<Type extends AuditEventType> = AuditEvents[Type] extends {
  details: readonly (infer Name extends string)[];
}
  ? Name
  : never;

/** An event to record. Who caused it and from where is taken from the request, job or command that records it. */
export type AuditEvent = {
  [Type in AuditEventType]: {
    readonly type: Type;
    /** The user whom it concerns: the id in the portal, or the subject at the identity provider. */
    readonly userId?: string | undefined;
    /** Texts without secrets; the address in `email` is masked. */
    readonly details?: { readonly [Name in DetailName<Type>]?: string | undefined };
  };
}[AuditEventType];

/** Returns whether a text is a kind of audit event. */
export const isAuditEventType = (text: string): text is AuditEventType => Object.hasOwn(auditEvents, text);

/** Returns whether events of a kind are about a refused or failed attempt. */
export const isFailure = (type: AuditEventType): boolean => 'isFailure' in auditEvents[type];
