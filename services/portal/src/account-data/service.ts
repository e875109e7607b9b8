import type { api, ResponseBody } from '@escucho/contracts';
import { toUser } from '../accounts/presenter.ts';
import type { CurrentUser } from '../accounts/service.ts';
import type { Erasures } from './erasures.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { AccountDataRepository, Row } from './repository.ts';

interface AccountDataServiceDeps {
  records: AccountDataRepository;
  provider: IdentityProvider;
  erasures: Pick<Erasures, 'begin'>;
  clock: () => Date;
}

const getArticleIds = (tables: Record<string, Row[]>): string[] => [
  ...new Set(
    Object.values(tables).flatMap((rows) =>
      rows.flatMap((row) => (typeof row.article_id === 'string' ? [row.article_id] : [])),
    ),
  ),
];

/** What is kept of a reader: given out whole, and erased whole. Operators' readers have no account at the identity provider. */
export function createAccountDataService({ records, provider, erasures, clock }: AccountDataServiceDeps) {
  const comesByProvider = ({ platform }: CurrentUser) => platform === null;

  return {
    /** In: who asks, and their access token, with which the identity provider is asked. Throws `unavailable`. */
    async exportData(
      reader: CurrentUser,
      accessToken: string,
    ): Promise<ResponseBody<typeof api.account.exportAccount>> {
      const tables = await records.findAllRows(reader.id);
      return {
        exportedAt: clock().toISOString(),
        user: toUser(reader),
        records: tables,
        pieces: await records.findTitles(getArticleIds(tables)),
        signIn: comesByProvider(reader) ? await provider.exportSignInData(accessToken) : null,
      };
    },

    /**
     * Erases the reader: here at once, which signs them out for good, and elsewhere as soon as that answers. Throws
     * `unauthorized` where the token's session has ended and `unavailable` where the identity provider cannot say so; then
     * nothing goes.
     */
    async deleteAccount(reader: CurrentUser, accessToken: string): Promise<void> {
      const account = comesByProvider(reader) ? await provider.findUsername(accessToken) : undefined;
      await records.deleteUser(reader, account, clock());
      await erasures.begin(reader.id);
    },
  };
}

export type AccountDataService = ReturnType<typeof createAccountDataService>;
