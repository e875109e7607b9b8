import * as z from 'zod/mini';
import { dateTime, device, id } from '../fields.ts';

/** The kinds of events that users see about their own account. */
export const securityEventTypes = [
  'account_created',
  'signed_in',
  'sign_in_failed',
  'account_locked',
  'signed_out',
  'session_revoked',
  'sessions_revoked',
  'refresh_token_reused',
  'authorization_code_reused',
  'code_sent',
  'code_redeemed',
  'code_rejected',
  'password_changed',
  'password_reset',
  'password_reset_required',
  'email_verified',
  'email_change_requested',
  'email_changed',
  'mfa_enabled',
  'mfa_disabled',
  'mfa_failed',
  'recovery_codes_created',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'account_disabled',
  'account_enabled',
  'account_deleted',
  'data_exported',
  'subscription_started',
  'subscription_cancelled',
  'subscription_resumed',
  'subscription_ended',
  'plan_changed',
  'card_replaced',
  'payment_refunded',
  'payment_disputed',
] as const;

/** An event of the user's account, from the audit log. */
export const securityEvent = z.object({
  id,
  /** `other`: of a kind that only a newer version of the server knows. */
  type: z.catch(z.enum([...securityEventTypes, 'other']), 'other'),
  occurredAt: dateTime,
  /** Whether an attempt was refused. */
  isFailure: z.boolean(),
  /** Who caused it: the user, somebody who did not sign in, the administration, or a background job. */
  actor: z.enum(['user', 'anonymous', 'admin', 'system']),
  device,
  /** The network of the request, shortened: `190.12.34.0/24`; null where unknown. */
  network: z.nullable(z.string()),
  /** By name: `method` of a sign-in or second factor, `purpose` of a code, `email` (masked), `product`. */
  details: z.catchall(z.object({}), z.string()),
});
export type SecurityEvent = z.infer<typeof securityEvent>;
