import type { api, ResponseBody } from '@escucho/contracts';
import { toUser } from '../accounts/presenter.ts';
import type { Reader } from '../accounts/service.ts';
import type { Erasures } from './erasures.ts';
import type { Provider } from './provider.ts';
import type { RecordRepository, Row } from './repository.ts';

interface Ports {
  records: RecordRepository;
  provider: Provider;
  erasures: Pick<Erasures, 'begin'>;
  clock: () => Date;
}

const articleIds = (tables: Record<string, Row[]>): string[] => [
  ...new Set(
    Object.values(tables).flatMap((rows) =>
      rows.flatMap((row) => (typeof row.article_id === 'string' ? [row.article_id] : [])),
    ),
  ),
];

/** What is kept of a reader: given out whole, and erased whole. Operators' readers have no account at the identity provider. */
export function recordService({ records, provider, erasures, clock }: Ports) {
  const comesByProvider = ({ platform }: Reader) => platform === null;

  return {
    /** In: who asks, and their access token, with which the identity provider is asked. Throws `unavailable`. */
    async everythingOf(
      reader: Reader,
      accessToken: string,
    ): Promise<ResponseBody<typeof api.account.exportAccount>> {
      const tables = await records.all(reader.id);
      return {
        exportedAt: clock().toISOString(),
        user: toUser(reader),
        records: tables,
        pieces: await records.titles(articleIds(tables)),
        signIn: comesByProvider(reader) ? await provider.describe(accessToken) : null,
      };
    },

    /**
     * Erases the reader: here at once, which signs them out for good, and elsewhere as soon as that answers. Throws
     * `unauthorized` where the token's session has ended and `unavailable` where the identity provider cannot say so; then
     * nothing goes.
     */
    async erase(reader: Reader, accessToken: string): Promise<void> {
      const account = comesByProvider(reader) ? await provider.nameOf(accessToken) : undefined;
      await records.erase(reader, account, clock());
      await erasures.begin(reader.id);
    },
  };
}

export type RecordService = ReturnType<typeof recordService>;
