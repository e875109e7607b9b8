import {
  AppError,
  api,
  type ErrorCode,
  type OperatorLink,
  type Platform,
  type User,
} from '@escucho/contracts';
import type { FastifyBaseLogger } from 'fastify';
import type { AccountRepository } from '../accounts/repository.ts';
import { getSubscriberId, type OperatorTokens, toOperatorSubject } from '../accounts/tokens.ts';
import { type Route, toUser } from '../accounts/user.ts';
import { createHttpGateway, GATEWAY_LIMITS, type GatewayLimits, type OperatorSettings } from './gateway.ts';
import { assertKnown, assertSubscribed, isCheckDue, verifyLink } from './policy.ts';
import type { OperatorRepository, RefusedLinkEvent } from './repository.ts';

/** Errors of links and subscribers, which the audit log has; others are failures of the operator. */
const refusals: readonly ErrorCode[] = ['forbidden', 'link_expired', 'subscription_required'];

export interface OperatorOptions {
  /** The key of the tokens issued to operators' users; at least 32 characters. */
  tokenSecret: string;
  /** The operators whose subscribers may sign in. */
  gateways: Partial<Record<Platform, OperatorSettings>>;
  limits?: GatewayLimits;
}

interface OperatorServiceDeps extends Omit<OperatorOptions, 'tokenSecret'> {
  users: OperatorRepository;
  accounts: AccountRepository;
  tokens: OperatorTokens;
  clock: () => Date;
  log: FastifyBaseLogger;
}

/** Signs in operators' subscribers and checks that they are still subscribed (EXT-05, EXT-06, SUB-02). */
export function createOperatorService(deps: OperatorServiceDeps) {
  const { gateways, limits = GATEWAY_LIMITS, users, accounts, tokens, clock, log } = deps;
  const operators = new Map(
    Object.entries(gateways).map(([platform, settings]) => {
      const gateway = createHttpGateway(platform, settings, { limits, log });
      return [platform, { gateway, secret: settings.secret }];
    }),
  );
  const pendingChecks = new Set<Promise<void>>();

  async function checkSubscription(platform: Platform, subject: string): Promise<void> {
    const operator = operators.get(platform);
    const id = getSubscriberId(subject);
    const checkedAt = clock();
    if (id === undefined || !(await users.claimCheck(subject, checkedAt))) return;
    // The session ends with an operator that is not configured any more, such as a simulated one after demo mode.
    const subscriber = operator ? await operator.gateway.find({ id }) : null;
    await users.saveStatus(subject, checkedAt, subscriber?.status === 'active' ? null : clock());
  }

  /** Verifies a link and asks its operator for the subscriber. */
  async function resolveLink(link: OperatorLink) {
    const operator = operators.get(link.platform);
    if (!operator) throw new AppError('unavailable');
    const attempt = verifyLink(link, operator.secret, clock());
    return { attempt, response: await operator.gateway.find(attempt.query) };
  }

  async function recordRefusal<Result>(
    type: RefusedLinkEvent,
    { platform }: OperatorLink,
    action: Promise<Result>,
  ): Promise<Result> {
    try {
      return await action;
    } catch (error) {
      if (error instanceof AppError && refusals.includes(error.code))
        await users.recordRefusedLink(type, platform, error.code);
      throw error;
    }
  }

  async function signInSubscriber(link: OperatorLink): Promise<{ accessToken: string; user: User }> {
    const { platform } = link;
    const { attempt, response } = await resolveLink(link);
    const { id, email, firstName, lastName } = assertSubscribed(attempt, response);
    const subject = toOperatorSubject(platform, id);
    const user = { platform, subject, profile: { email, firstName, lastName } };
    if (!(await users.useLink(user, attempt, clock()))) throw new AppError('link_expired');
    const account = await accounts.find(subject);
    // The user was deleted in between. The link was used, so the subscriber needs another one.
    if (!account) throw new AppError('link_expired');
    return { accessToken: await tokens.issue(subject), user: toUser(account) };
  }

  async function deleteSubscriberAccount(link: OperatorLink): Promise<void> {
    const { platform } = link;
    const { attempt, response } = await resolveLink(link);
    const account = await accounts.find(toOperatorSubject(platform, assertKnown(attempt, response).id));
    if (!account) throw new AppError('not_found');
    // Used as well, so that it does not delete the account that the subscriber may open after the deletion.
    if (!(await users.deleteByLink(account, { ...attempt, platform }, clock())))
      throw new AppError('link_expired');
  }

  return {
    /**
     * Signs in the subscriber of an operator's link.
     *
     * @param link - unverified parameters of the link
     * @throws AppError `forbidden` (bad signature), `link_expired` (too old or already used), `subscription_required`,
     *   `unavailable`
     */
    signIn: (link: OperatorLink) => recordRefusal('sign_in_failed', link, signInSubscriber(link)),

    /**
     * Deletes the account of an operator's link, whether or not the plan has ended.
     *
     * @param link - unverified parameters of the link
     * @throws AppError `forbidden` (bad signature), `link_expired` (too old or already used), `not_found`, `unavailable`
     */
    deleteAccount: (link: OperatorLink) =>
      recordRefusal('account_deletion_failed', link, deleteSubscriberAccount(link)),

    /**
     * Checks the subscription at the operator in the background if the last check is an hour old. The result of the last
     * check applies until the operator responds.
     */
    checkWhenDue(platform: Platform, subject: string, checkedAt: Date | null): void {
      if (!isCheckDue(checkedAt, clock())) return;
      const check = checkSubscription(platform, subject)
        .catch((error: unknown) =>
          log.warn({ err: error, platform }, 'the subscription could not be checked at the operator'),
        )
        .finally(() => pendingChecks.delete(check));
      pendingChecks.add(check);
    },

    /** Resolves when no check is running. */
    waitForChecks: async (): Promise<void> => void (await Promise.all(pendingChecks)),
  };
}

export type OperatorService = ReturnType<typeof createOperatorService>;

/** Registers the endpoints of operators’ links. */
export function registerOperators(route: Route, operators: OperatorService): void {
  route(api.operators.signInThirdParties).handle(({ body }) => operators.signIn(body));
  route(api.operators.deleteAccountByLink).handle(async ({ body }) => {
    await operators.deleteAccount(body);
    return {};
  });
}
