import { rateLimits } from '@escucho/contracts';
import { sendPage } from '@escucho/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getCaller } from '../caller.ts';
import type { Database } from '../database.ts';
import {
  type AuthorizationRequest,
  type OAuthClient,
  parseAuthorizationRequest,
  toQueryString,
} from '../oauth/policy.ts';
import type { AuthorizationService } from '../oauth/service.ts';
import type { ConcurrencyLimiter } from '../protocol/operation.ts';
import { createWrongCodeLimiter } from '../rate-limits/caller-limits.ts';
import type { ChallengeResponse } from '../sign-in/challenge-session.ts';
import { type Cookies, getFormActions, negotiatePageLanguage, readFormField } from './http.ts';
import { type PageMessage, renderCodePage, toFormError } from './pages.ts';
import { completeSignIn, type HostedSessionService } from './service.ts';

interface SecondFactorDeps {
  client: OAuthClient;
  basePath: string;
  cookies: Cookies;
  hostedSessions: HostedSessionService;
  authorizations: AuthorizationService;
  limitConcurrency: ConcurrencyLimiter;
}

const MAX_CODE_LENGTH = 64;

/** Registers the form that asks for the second factor; returns a function that shows it. */
export function registerSecondFactor(app: FastifyInstance, deps: SecondFactorDeps) {
  const { client, basePath, cookies, hostedSessions, authorizations } = deps;
  const limitWrongCodes = createWrongCodeLimiter(app.rateLimiter);

  function showCodePage(
    request: FastifyRequest,
    reply: FastifyReply,
    authorization: AuthorizationRequest,
    challenge: Pick<ChallengeResponse, 'ChallengeName' | 'Session'>,
    formError?: PageMessage,
  ) {
    const query = toQueryString(authorization, client.clientId);
    const page = renderCodePage(negotiatePageLanguage(request, authorization.lang), {
      action: `${basePath}/mfa?${query}`,
      signInUrl: `${basePath}/login?${query}`,
      formToken: hostedSessions.createFormToken(cookies.ensureBrowserId(request, reply)),
      challengeName: challenge.ChallengeName,
      session: challenge.Session,
      formError,
    });
    if (formError !== undefined) reply.status(400);
    return sendPage(reply, page, getFormActions(authorization));
  }

  app.post('/mfa', { config: { rateLimits: rateLimits.signIn } }, async (request, reply) => {
    const authorization = parseAuthorizationRequest(request.query, client);
    const { body } = request;
    const challenge = {
      ChallengeName: readFormField(body, 'challenge'),
      Session: readFormField(body, 'session'),
    };
    const showError = (formError: PageMessage) =>
      showCodePage(request, reply, authorization, challenge, formError);
    if (!hostedSessions.isFormToken(cookies.read(request, 'browser'), readFormField(body, 'form_token'))) {
      return showError('stale');
    }
    const caller = getCaller(request, { language: authorization.lang });
    // Authenticator apps show a code in two groups.
    const code = readFormField(body, 'code').replace(/\s/g, '').slice(0, MAX_CODE_LENGTH);
    try {
      const response = await deps.limitConcurrency(() =>
        limitWrongCodes(caller, () =>
          hostedSessions.signInWithCode(
            challenge.ChallengeName,
            { session: challenge.Session, answer: code },
            caller,
            (tx: Database, session) => authorizations.grant(tx, authorization, session, caller),
          ),
        ),
      );
      if ('Session' in response) return showCodePage(request, reply, authorization, response);
      return completeSignIn(request, reply, response, deps);
    } catch (error) {
      return showError(toFormError(error));
    }
  });

  return showCodePage;
}
