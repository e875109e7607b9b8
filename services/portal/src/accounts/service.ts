import { AppError, type User } from '@escucho/contracts';
import type { OperatorService } from '../operators/service.ts';
import { isOperatorSubject } from '../reader-tokens.ts';
import type { Standing } from '../subscriptions/policy.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { issuedAt, type Profile, type TokenChecker } from '../tokens.ts';
import type { Account, AccountRepository } from './repository.ts';

/** Who asks: the reader behind a valid access token, and what the subscription allows at this moment. */
export interface Reader extends Profile {
  id: string;
  subject: string;
  platform: User['platform'];
  hasOwnNames: boolean;
  subscription: Standing;
}

interface Ports {
  accounts: AccountRepository;
  tokens: TokenChecker;
  operators: Pick<OperatorService, 'askWhenDue'>;
  subscriptions: Pick<SubscriptionService, 'standingOf'>;
  clock: () => Date;
}

/** Knows readers by their tokens and keeps their profiles. */
export function accountService({ accounts, tokens, operators, subscriptions, clock }: Ports) {
  async function accountOf(subject: string, token: string): Promise<Account> {
    const known = await accounts.find(subject);
    if (known) return known;
    // Only an operator's word makes its readers known; one who is deleted is out.
    if (isOperatorSubject(subject)) throw new AppError('unauthorized');
    // Tokens outlive their reader by up to an hour, and must not bring them back; nor may a sign-in before all is gone.
    const departure = await accounts.departureOf(subject);
    if (departure && (departure.isGoingOn || issuedAt(token) <= departure.erasedAt))
      throw new AppError('unauthorized');
    // A valid token whose owner never signed in here: an empty row, so that nothing else need care.
    await accounts.create(subject, clock());
    const made = await accounts.find(subject);
    if (!made) throw new Error('A reader was deleted while being made');
    return made;
  }

  return {
    /** In: an access token. Out: its reader. Throws `unauthorized`, `token_expired` (API-02). */
    async authenticate(token: string): Promise<Reader> {
      const subject = await tokens.subjectOf(token);
      const account = await accountOf(subject, token);
      const { id, email, firstName, lastName, platform, hasOwnNames, operatorAskedAt: askedAt } = account;
      if (platform) operators.askWhenDue(platform, subject, askedAt);
      const subscription = await subscriptions.standingOf(account);
      return { id, subject, email, firstName, lastName, platform, hasOwnNames, subscription };
    },

    /**
     * Brings the reader's profile up to date from an id token of the same person; names that the reader set here stay.
     * Throws `invalid_request`.
     */
    async signIn(reader: Reader, idToken: string): Promise<Reader> {
      const { email, ...names } = await tokens.profileOf(idToken, reader.subject);
      const { firstName, lastName } = reader.hasOwnNames ? reader : names;
      const profile = { email: email ?? reader.email, firstName, lastName };
      const same =
        profile.email === reader.email && firstName === reader.firstName && lastName === reader.lastName;
      if (!same) await accounts.update(reader.subject, profile, clock());
      return { ...reader, ...profile };
    },
  };
}

export type AccountService = ReturnType<typeof accountService>;
