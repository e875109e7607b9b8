import { Readable } from 'node:stream';
import { deleteAuditEvents, isFailure, type StoredAuditEvent } from '@escucho/audit';
import { AppError, api, type SecurityEvent, securityEventTypes } from '@escucho/contracts';
import { defineJob, handleJob, type JobHandler } from '@escucho/jobs';
import * as z from 'zod/mini';
import { getAccessToken } from '../accounts/tokens.ts';
import { type CurrentUser, type Route, toUser } from '../accounts/user.ts';
import type { Database } from '../database.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { type AccountDataRepository, deleteProviderAccounts, type Row } from './repository.ts';

interface AccountDataDeps {
  accountData: AccountDataRepository;
  subscriptions: Pick<SubscriptionService, 'findReceipts' | 'deleteCustomer'>;
  provider: IdentityProvider;
  clock: () => Date;
}

/** Converts pages of rows to the text of a JSON array. */
async function* toJsonArray(pages: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let separator = '';
  yield '[';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield separator + rows.map((row) => JSON.stringify(row)).join(',');
    separator = ',';
  }
  yield ']';
}

function toSecurityEvent(event: StoredAuditEvent): SecurityEvent[] {
  const type = securityEventTypes.find((name) => name === event.type);
  if (!type) return [];
  const { id, actor, network, browser, system, details } = event;
  const device = browser === null || system === null ? null : { browser, system };
  const occurredAt = event.occurredAt.toISOString();
  return [{ id, type, occurredAt, isFailure: isFailure(type), actor, device, network, details }];
}

/** Exports, shows and deletes what is stored about a user. Operators' users have no account at the identity provider. */
export function createAccountDataService(deps: AccountDataDeps) {
  const { accountData, subscriptions, provider, clock } = deps;
  const hasProviderAccount = ({ platform }: CurrentUser) => platform === null;

  return {
    /**
     * Returns the data as JSON, which is read from the database in pages while it is sent.
     *
     * @param accessToken - the user's, with which the identity provider is called
     * @throws AppError `unavailable` when the identity or the billing provider does not respond, `unauthorized` where the
     *   user was deleted since the request was authenticated
     */
    async exportData(user: CurrentUser, accessToken: string): Promise<Readable> {
      const signIn = hasProviderAccount(user) ? await provider.exportSignInData(accessToken) : null;
      const { docs: payments } = await subscriptions.findReceipts(user);
      const securityEvents = await accountData.exportSecurityEvents(user);
      if (!securityEvents) throw new AppError('unauthorized');
      const head = { exportedAt: clock().toISOString(), user: toUser(user), signIn, payments };
      const articleIds = new Set<string>();

      async function* collectArticleIds(pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
        for await (const rows of pages) {
          for (const { article_id: id } of rows) if (typeof id === 'string') articleIds.add(id);
          yield rows;
        }
      }

      async function* write(): AsyncGenerator<string> {
        yield `${JSON.stringify(head).slice(0, -1)},"records":{`;
        for await (const { table, pages } of accountData.readTables(user.id)) {
          yield `${JSON.stringify(table)}:`;
          yield* toJsonArray(collectArticleIds(pages));
          yield ',';
        }
        const articleTitles = await accountData.findTitles([...articleIds]);
        yield `"security_event":${JSON.stringify(securityEvents)}},"articleTitles":${JSON.stringify(articleTitles)}}`;
      }

      return Readable.from(write(), { highWaterMark: 1 });
    },

    /** @param page - `after` is the id of the last event of the previous page */
    async findSecurityEvents(user: CurrentUser, page: { after?: string | undefined; limit: number }) {
      const { events, total } = await accountData.findSecurityEvents(user, page);
      return { docs: events.flatMap(toSecurityEvent), totalDocs: total };
    },

    /**
     * Deletes the user, which signs them out at once, and enqueues the deletion at the billing and identity provider.
     *
     * @throws AppError `unauthorized` when the token's session has ended, `unavailable` when the identity provider cannot
     *   confirm the session; in both cases nothing is deleted
     */
    async deleteAccount(user: CurrentUser, accessToken: string): Promise<void> {
      const username = hasProviderAccount(user) ? await provider.findUsername(accessToken) : undefined;
      await accountData.deleteUser(user, username, clock());
    },
  };
}

/**
 * Deletes an account at the billing provider, so that nobody pays for a deleted account, then at the identity provider.
 * Both treat an unknown account as deleted, so the job may run again from the start. Once it is complete it does nothing:
 * the same person may have signed up again.
 */
export const handleAccountDeletion = ({
  accountData,
  subscriptions,
  provider,
  clock,
}: AccountDataDeps): JobHandler =>
  handleJob(deleteProviderAccounts, async ({ userId, username, subjectHash }) => {
    if (!(await accountData.isDeletionPending(subjectHash))) return;
    await subscriptions.deleteCustomer(userId);
    await provider.deleteAccount(username);
    await accountData.completeDeletion(subjectHash, clock());
  });

const deleteOldAuditEvents = defineJob({ name: 'delete_old_audit_events', payload: z.object({}) });

/** Deletes old audit events, of all services, once a day. */
export const auditRetentionSchedule = { job: deleteOldAuditEvents, cron: '41 3 * * *' };

export const handleAuditRetention = (db: Database, days: number): JobHandler =>
  handleJob(deleteOldAuditEvents, () => deleteAuditEvents(db, days));

type AccountDataService = ReturnType<typeof createAccountDataService>;

/** Registers the endpoints of data export, account deletion and security events. */
export function registerAccountData(route: Route, accountData: AccountDataService): void {
  route(api.account.exportAccount).handle(({ user, request }) =>
    accountData.exportData(user, getAccessToken(request)),
  );
  route(api.account.deleteAccount).handle(async ({ user, request }) => {
    await accountData.deleteAccount(user, getAccessToken(request));
    return {};
  });
  route(api.account.findSecurityEvents).handle(({ user, query }) =>
    accountData.findSecurityEvents(user, query),
  );
}
