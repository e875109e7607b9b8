import {
  AppError,
  api,
  type Endpoint,
  limits,
  type Settings,
  type SettingsChange,
  type User,
} from '@escucho/contracts';
import type { OperatorService } from '../operators/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { type Account, type AccountRepository, isOnboardingDue, type SettingsRow } from './repository.ts';
import { getIssuedAt, isOperatorSubject, type TokenVerifier } from './tokens.ts';
import { type CurrentUser, type Route, toSignInResponse, toUser } from './user.ts';

interface AccountServiceDeps {
  accounts: AccountRepository;
  tokens: TokenVerifier;
  operators: Pick<OperatorService, 'checkWhenDue'>;
  subscriptions: Pick<SubscriptionService, 'findStatus'>;
  clock: () => Date;
}

/** Returns whether an operator's user signed out, or was created again after a deletion, since a token was issued. */
function isOutdated(token: string, { signedOutAt, createdAt }: Account): boolean {
  const issuedAt = getIssuedAt(token).getTime();
  // The account is created before its first token, whose time had no milliseconds in the version before.
  return signedOutAt ? issuedAt < signedOutAt.getTime() : issuedAt + 1000 <= createdAt.getTime();
}

/** @throws AppError `unauthorized` where the user was deleted since the request was authenticated */
function toSettingsResponse(
  user: CurrentUser,
  row: SettingsRow | undefined,
): { user: User; settings: Settings } {
  if (!row) throw new AppError('unauthorized');
  const { onboardedAt, ...settings } = row;
  const { firstName, lastName, learningLanguage: language, level } = settings;
  const needsOnboarding = isOnboardingDue(user.platform, onboardedAt);
  return {
    user: toUser({ ...user, firstName, lastName, learning: { language, level }, needsOnboarding }),
    settings,
  };
}

/** Authenticates users by their tokens and stores their profiles and settings (SUB-07). */
export function createAccountService(deps: AccountServiceDeps) {
  const { accounts, tokens, operators, subscriptions, clock } = deps;

  async function findOrCreateAccount(subject: string, token: string): Promise<Account> {
    const account = await accounts.find(subject);
    if (isOperatorSubject(subject)) {
      // Operators' users are created by signing in through the operator only, again after a deletion, which their tokens
      // outlive by up to a day.
      if (!account || isOutdated(token, account)) throw new AppError('unauthorized');
      return account;
    }
    if (account) return account;
    // Tokens are issued until the identity provider has deleted the account, outlive it by up to an hour and must not
    // create it again.
    const deletion = await accounts.findDeletion(subject);
    if (deletion && (deletion.completedAt === null || getIssuedAt(token) <= deletion.completedAt))
      throw new AppError('unauthorized');
    // A valid token of a user who never signed in here.
    await accounts.create(subject, clock());
    const created = await accounts.find(subject);
    // The user was deleted in between, by another request.
    if (!created) throw new AppError('unauthorized');
    return created;
  }

  return {
    /**
     * Returns the user an access token belongs to.
     *
     * @throws AppError `unauthorized`, `token_expired` (API-02), `operator_plan_ended`, `reauthentication_required` where
     *   the endpoint requires a recent sign-in
     */
    async authenticate(
      token: string,
      { requiresRecentSignIn }: Pick<Endpoint, 'requiresRecentSignIn'>,
    ): Promise<CurrentUser> {
      const { subject, authTime } = await tokens.verifyAccessToken(token);
      const signInAgeSeconds = clock().getTime() / 1000 - authTime;
      if (requiresRecentSignIn && signInAgeSeconds > limits.recentSignIn.maxAgeSeconds)
        throw new AppError('reauthentication_required');
      const account = await findOrCreateAccount(subject, token);
      const { platform } = account;
      // The session of an operator's user ends with the plan (SUB-02); a new link from the operator starts another.
      if (account.operatorEndedAt) throw new AppError('operator_plan_ended');
      if (platform) operators.checkWhenDue(platform, subject, account.operatorCheckedAt);
      return { ...account, subscription: await subscriptions.findStatus(account) };
    },

    /**
     * Updates the user's profile from an ID token of the same user; names that were edited in the settings stay. A token
     * from before the last change, such as that of another device with the former address, changes nothing.
     *
     * @throws AppError `invalid_request`
     */
    async signIn(user: CurrentUser, idToken: string): Promise<CurrentUser> {
      const { email, ...names } = await tokens.verifyIdToken(idToken, user.subject);
      const { firstName, lastName } = user.hasCustomNames ? user : names;
      const profile = { email: email ?? user.email, firstName, lastName };
      const isUnchanged =
        profile.email === user.email && firstName === user.firstName && lastName === user.lastName;
      if (isUnchanged) return user;
      const times = { issuedAt: getIssuedAt(idToken), now: clock() };
      return { ...user, ...(await accounts.updateProfile(user.subject, profile, times)) };
    },

    /** Ends the sessions of an operator's user on all devices. The identity provider ends those of all other users. */
    signOut: (user: CurrentUser) => accounts.signOut(user.id, clock()),

    findSettings: async (user: CurrentUser) => toSettingsResponse(user, await accounts.findSettings(user.id)),

    changeSettings: async (user: CurrentUser, change: SettingsChange) =>
      toSettingsResponse(user, await accounts.updateSettings(user.id, change, clock())),
  };
}

export type AccountService = ReturnType<typeof createAccountService>;

/** Registers the endpoints of sign-ins and settings. */
export function registerAccounts(route: Route, accounts: AccountService): void {
  route(api.auth.signInCognito).handle(async ({ user, body }) =>
    toSignInResponse(await accounts.signIn(user, body.idToken)),
  );
  route(api.auth.signOut).handle(async ({ user }) => {
    await accounts.signOut(user);
    return {};
  });
  route(api.auth.me).handle(({ user }) => toSignInResponse(user));
  route(api.settings.findSettings).handle(({ user }) => accounts.findSettings(user));
  route(api.settings.changeSettings).handle(({ user, body }) => accounts.changeSettings(user, body));
}
