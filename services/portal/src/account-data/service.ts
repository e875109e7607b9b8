import type { api, ResponseBody } from '@escucho/contracts';
import { handleJob, type JobHandler } from '@escucho/jobs';
import { type CurrentUser, toUser } from '../accounts/user.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { type AccountDataRepository, deleteProviderAccounts, type Row } from './repository.ts';

interface AccountDataServiceDeps {
  accountData: AccountDataRepository;
  provider: IdentityProvider;
  clock: () => Date;
}

const getArticleIds = (tables: Record<string, Row[]>): string[] => [
  ...new Set(
    Object.values(tables).flatMap((rows) =>
      rows.flatMap((row) => (typeof row.article_id === 'string' ? [row.article_id] : [])),
    ),
  ),
];

/** Exports and deletes everything stored about a user. Operators' users have no account at the identity provider. */
export function createAccountDataService({ accountData, provider, clock }: AccountDataServiceDeps) {
  const hasProviderAccount = ({ platform }: CurrentUser) => platform === null;

  return {
    /**
     * @param accessToken - the user's, with which the identity provider is called
     * @throws AppError `unavailable` when the identity provider does not respond
     */
    async exportData(
      user: CurrentUser,
      accessToken: string,
    ): Promise<ResponseBody<typeof api.account.exportAccount>> {
      const tables = await accountData.findAllRows(user.id);
      const securityEvents = await accountData.exportSecurityEvents(user);
      return {
        exportedAt: clock().toISOString(),
        user: toUser(user),
        records: { ...tables, security_event: securityEvents },
        articleTitles: await accountData.findTitles(getArticleIds(tables)),
        signIn: hasProviderAccount(user) ? await provider.exportSignInData(accessToken) : null,
      };
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

interface DeletionDeps {
  accountData: Pick<AccountDataRepository, 'isDeletionPending' | 'completeDeletion'>;
  subscriptions: Pick<SubscriptionService, 'deleteCustomer'>;
  provider: IdentityProvider;
  clock: () => Date;
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
}: DeletionDeps): JobHandler =>
  handleJob(deleteProviderAccounts, async ({ userId, username, subjectHash }) => {
    if (!(await accountData.isDeletionPending(subjectHash))) return;
    await subscriptions.deleteCustomer({ id: userId, platform: null });
    await provider.deleteAccount(username);
    await accountData.completeDeletion(subjectHash, clock());
  });

export type AccountDataService = ReturnType<typeof createAccountDataService>;
