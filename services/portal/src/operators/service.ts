import { AppError, type OperatorLink, type Platform, type User } from '@escucho/contracts';
import type { FastifyBaseLogger } from 'fastify';
import { toUser } from '../accounts/presenter.ts';
import type { AccountRepository } from '../accounts/repository.ts';
import { operatorSubject, type ReaderTokens, subscriberOf } from '../reader-tokens.ts';
import type { OperatorGateway } from './gateway.ts';
import { admitted, isDue, passOf } from './policy.ts';
import type { OperatorRepository } from './repository.ts';

/** An operator as it is set up here: how to ask it, and the secret it signs links with, if it does. */
export interface Operator {
  gateway: OperatorGateway;
  secret: string | undefined;
}

interface Ports {
  /** By platform. */
  operators: ReadonlyMap<string, Operator>;
  readers: OperatorRepository;
  accounts: AccountRepository;
  tokens: ReaderTokens;
  clock: () => Date;
  log: FastifyBaseLogger;
}

/** Lets operators' subscribers in, and knows for how long (EXT-05, EXT-06). */
export function operatorService({ operators, readers, accounts, tokens, clock, log }: Ports) {
  const underWay = new Set<Promise<void>>();

  async function askAgain(platform: Platform, subject: string): Promise<void> {
    const operator = operators.get(platform);
    const id = subscriberOf(subject);
    if (!operator || id === undefined || !(await readers.claim(subject, clock()))) return;
    const said = await operator.gateway.find({ id });
    await readers.keep(subject, said?.status === 'active' ? null : clock());
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
      const pass = passOf(link, operator.secret, clock());
      const { id, email, firstName, lastName } = admitted(pass, await operator.gateway.find(pass.question));
      const subject = operatorSubject(platform, id);
      const reader = { platform, subject, profile: { email, firstName, lastName } };
      if (!(await readers.admit(reader, pass, clock()))) throw new AppError('link_expired');
      const account = await accounts.find(subject);
      if (!account) throw new Error('A reader was deleted while being let in');
      return { accessToken: await tokens.issue(subject), user: toUser(account) };
    },

    /**
     * Asks the reader's operator again when its word is an hour old, behind what the reader does: until it has
     * answered, and where it cannot, its last word holds.
     */
    askWhenDue(platform: Platform, subject: string, askedAt: Date | null): void {
      if (!isDue(askedAt, clock())) return;
      const asking = askAgain(platform, subject)
        .catch((error: unknown) =>
          log.warn({ err: error, platform }, 'the operator could not be asked again'),
        )
        .finally(() => underWay.delete(asking));
      underWay.add(asking);
    },

    /** Resolves once nothing is under way. */
    settled: async (): Promise<void> => void (await Promise.all(underWay)),
  };
}

export type OperatorService = ReturnType<typeof operatorService>;
