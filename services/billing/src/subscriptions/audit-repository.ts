import { type AuditEvent, recordAuditEvents } from '@escucho/audit';
import type { Database } from '../database.ts';
import type { Subscription, SubscriptionEvent } from './events.ts';
import type { SubscriptionChange } from './repository.ts';

/** Returns the audit event of a subscription's event; undefined for renewals and steps of a charge. */
function toAuditEvent(
  event: SubscriptionEvent,
  { terms, store }: Subscription,
  userId: string | undefined,
): AuditEvent | undefined {
  const product = terms?.product;
  switch (event.kind) {
    case 'started':
      return { type: 'subscription_started', userId, details: { product, store } };
    case 'cancelled':
      return { type: 'subscription_cancelled', userId, details: { product } };
    case 'resumed':
      return { type: 'subscription_resumed', userId, details: { product } };
    case 'plan_chosen':
      return { type: 'plan_changed', userId, details: { product: event.terms?.product ?? product } };
    case 'refunded':
    case 'disputed': {
      const { amount, currency } = event.money;
      const type = event.kind === 'refunded' ? 'payment_refunded' : 'payment_disputed';
      return { type, userId, details: { product, amount: String(amount), currency } };
    }
    case 'expired':
      return { type: 'subscription_ended', userId, details: { product, reason: event.reason } };
    default:
      return undefined;
  }
}

/** Records what changes of subscriptions mean to their users, in two statements however many they are. */
export async function recordSubscriptionChanges(
  tx: Database,
  changes: readonly SubscriptionChange[],
): Promise<void> {
  const toEvents = ({ after, events }: SubscriptionChange, userId: string | undefined) =>
    events.flatMap((event) => toAuditEvent(event, after.state, userId) ?? []);
  const audited = changes.filter((change) => toEvents(change, undefined).length > 0);
  if (audited.length === 0) return;
  const rows = await tx
    .selectFrom('subscriber')
    .select(['id', 'app_user_id'])
    .where(
      'id',
      'in',
      audited.map(({ after }) => after.subscriberId),
    )
    .execute();
  const userIds = new Map(rows.map(({ id, app_user_id }) => [id, app_user_id ?? undefined]));
  await recordAuditEvents(
    tx,
    audited.flatMap((change) => toEvents(change, userIds.get(change.after.subscriberId))),
  );
}
