import { AppError, type User } from '@escucho/contracts';
import type { OperatorService } from '../operators/service.ts';
import { isOperatorSubject } from '../operators/tokens.ts';
import type { SubscriptionStatus } from '../subscriptions/policy.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { Account, AccountRepository } from './repository.ts';
import { getIssuedAt, type Profile, type TokenVerifier } from './tokens.ts';

/** Who asks: the reader behind a valid access token, and what the subscription allows at this moment. */
export interface CurrentUser extends Profile {
  id: string;
  subject: string;
  platform: User['platform'];
  hasCustomNames: boolean;
  subscription: SubscriptionStatus;
}

interface AccountServiceDeps {
  accounts: AccountRepository;
  tokens: TokenVerifier;
  operators: Pick<OperatorService, 'checkWhenDue'>;
  subscriptions: Pick<SubscriptionService, 'findStatus'>;
  clock: () => Date;
}

/** Knows readers by their tokens and keeps their profiles. */
export function createAccountService({
  accounts,
  tokens,
  operators,
  subscriptions,
  clock,
}: AccountServiceDeps) {
  async function findOrCreateAccount(subject: string, token: string): Promise<Account> {
    const known = await accounts.find(subject);
    if (known) return known;
    // Only an operator's word makes its readers known; one who is deleted is out.
    if (isOperatorSubject(subject)) throw new AppError('unauthorized');
    // Tokens outlive their reader by up to an hour, and must not bring them back; nor may a sign-in before all is gone.
    const departure = await accounts.findDeletion(subject);
    if (departure && (departure.isGoingOn || getIssuedAt(token) <= departure.erasedAt))
      throw new AppError('unauthorized');
    // A valid token whose owner never signed in here: an empty row, so that nothing else need care.
    await accounts.create(subject, clock());
    const made = await accounts.find(subject);
    if (!made) throw new Error('A reader was deleted while being made');
    return made;
  }

  return {
    /** In: an access token. Out: its reader. Throws `unauthorized`, `token_expired` (API-02). */
    async authenticate(token: string): Promise<CurrentUser> {
      const subject = await tokens.verifyAccessToken(token);
      const account = await findOrCreateAccount(subject, token);
      const {
        id,
        email,
        firstName,
        lastName,
        platform,
        hasCustomNames: hasOwnNames,
        operatorCheckedAt,
      } = account;
      if (platform) operators.checkWhenDue(platform, subject, operatorCheckedAt);
      const subscription = await subscriptions.findStatus(account);
      return { id, subject, email, firstName, lastName, platform, hasCustomNames: hasOwnNames, subscription };
    },

    /**
     * Brings the reader's profile up to date from an id token of the same person; names that the reader set here stay.
     * Throws `invalid_request`.
     */
    async signIn(reader: CurrentUser, idToken: string): Promise<CurrentUser> {
      const { email, ...names } = await tokens.verifyIdToken(idToken, reader.subject);
      const { firstName, lastName } = reader.hasCustomNames ? reader : names;
      const profile = { email: email ?? reader.email, firstName, lastName };
      const same =
        profile.email === reader.email && firstName === reader.firstName && lastName === reader.lastName;
      if (!same) await accounts.update(reader.subject, profile, clock());
      return { ...reader, ...profile };
    },
  };
}

export type AccountService = ReturnType<typeof createAccountService>;
