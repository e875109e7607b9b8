import { AppError, type OperatorLink, type Platform, type User } from '@escucho/contracts';
import type { FastifyBaseLogger } from 'fastify';
import { toUser } from '../accounts/presenter.ts';
import type { AccountRepository } from '../accounts/repository.ts';
import type { OperatorGateway } from './gateway.ts';
import { assertSubscribed, isCheckDue, verifyLink } from './policy.ts';
import type { OperatorRepository } from './repository.ts';
import { getSubscriberId, type OperatorTokens, toOperatorSubject } from './tokens.ts';

/** An operator as it is set up here: how to ask it, and the secret it signs links with, if it does. */
export interface Operator {
  gateway: OperatorGateway;
  secret: string | undefined;
}

interface OperatorServiceDeps {
  /** By platform. */
  operators: ReadonlyMap<string, Operator>;
  readers: OperatorRepository;
  accounts: AccountRepository;
  tokens: OperatorTokens;
  clock: () => Date;
  log: FastifyBaseLogger;
}

/** Lets operators' subscribers in, and knows for how long (EXT-05, EXT-06). */
export function createOperatorService({
  operators,
  readers,
  accounts,
  tokens,
  clock,
  log,
}: OperatorServiceDeps) {
  const pendingChecks = new Set<Promise<void>>();

  async function checkSubscription(platform: Platform, subject: string): Promise<void> {
    const operator = operators.get(platform);
    const id = getSubscriberId(subject);
    if (!operator || id === undefined || !(await readers.claimCheck(subject, clock()))) return;
    const said = await operator.gateway.find({ id });
    await readers.saveStatus(subject, said?.status === 'active' ? null : clock());
  }

  return {
    /**
     * In: a link's parameters, from anybody. Out: the reader whom the operator vouches for, with a token. Throws
     * `forbidden` (not signed), `link_expired` (old, or used before), `subscription_required`, `unavailable`.
     */
    async signIn(link: OperatorLink): Promise<{ accessToken: string; user: User }> {
      const { platform } = link;
      const operator = operators.get(platform);
      if (!operator) throw new AppError('unavailable');
      const pass = verifyLink(link, operator.secret, clock());
      const { id, email, firstName, lastName } = assertSubscribed(
        pass,
        await operator.gateway.find(pass.question),
      );
      const subject = toOperatorSubject(platform, id);
      const reader = { platform, subject, profile: { email, firstName, lastName } };
      if (!(await readers.useLink(reader, pass, clock()))) throw new AppError('link_expired');
      const account = await accounts.find(subject);
      if (!account) throw new Error('A reader was deleted while being let in');
      return { accessToken: await tokens.issue(subject), user: toUser(account) };
    },

    /**
     * Asks the reader's operator again when its word is an hour old, behind what the reader does: until it has
     * answered, and where it cannot, its last word holds.
     */
    checkWhenDue(platform: Platform, subject: string, askedAt: Date | null): void {
      if (!isCheckDue(askedAt, clock())) return;
      const asking = checkSubscription(platform, subject)
        .catch((error: unknown) =>
          log.warn({ err: error, platform }, 'the operator could not be asked again'),
        )
        .finally(() => pendingChecks.delete(asking));
      pendingChecks.add(asking);
    },

    /** Resolves once nothing is under way. */
    waitForChecks: async (): Promise<void> => void (await Promise.all(pendingChecks)),
  };
}

export type OperatorService = ReturnType<typeof createOperatorService>;
