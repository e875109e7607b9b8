import { limits, rateLimits } from '@escucho/contracts';
import { sendPage } from '@escucho/service-kit';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getCaller } from '../caller.ts';
import { registerSimulator, type SimulatorDeps } from '../federation/simulator.ts';
import {
  type AuthorizationRequest,
  type OAuthClient,
  parseAuthorizationRequest,
  RedirectError,
  readParameter,
  readRegisteredUri,
  toQueryString,
} from '../oauth/policy.ts';
import type { AppPages } from '../options.ts';
import type { PasskeyService } from '../passkeys/service.ts';
import type { ConcurrencyLimiter } from '../protocol/operation.ts';
import { createWrongCodeLimiter } from '../rate-limits/caller-limits.ts';
import type { ChallengeResponse } from '../sign-in/challenge-session.ts';
import { normalizeUsername } from '../users/policy.ts';
import {
  getFormActions,
  handlePageError,
  negotiatePageLanguage,
  readFormField,
  redirect,
  WITHOUT_HEAD,
} from './http.ts';
import { type PageMessage, passkeyScript, renderCodePage, renderSignInPage, toFormError } from './pages.ts';
import { HOSTED_SESSION_LIFETIME_MS, type HostedSessionService, type HostedSignIn } from './service.ts';

interface HostedPagesDeps extends SimulatorDeps {
  client: OAuthClient;
  app: AppPages;
  hostedSessions: HostedSessionService;
  passkeys: PasskeyService | undefined;
  limitConcurrency: ConcurrencyLimiter;
  simulateProviders: boolean;
}

const MAX_BODY_BYTES = 64 * 1024;
const MAX_CODE_LENGTH = 64;

/** Registers the pages that browsers visit: /oauth2/authorize, /login, /logout and the federation callback. */
export async function registerHostedPages(app: FastifyInstance, deps: HostedPagesDeps): Promise<void> {
  const { client, addresses, cookies, hostedSessions, federation, limitConcurrency } = deps;
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: MAX_BODY_BYTES });
  app.setErrorHandler(handlePageError);
  if (deps.simulateProviders) registerSimulator(app, deps);
  const basePath = new URL(addresses[0]).pathname;
  const limitWrongCodes = createWrongCodeLimiter(app.rateLimiter);
  const getBaseUrl = (request: FastifyRequest) => {
    const origin = `${request.protocol}://${request.host}`;
    return addresses.find((address) => new URL(address).origin === origin) ?? addresses[0];
  };
  const toUrl = (path: string, authorization: AuthorizationRequest) =>
    `${basePath}${path}?${toQueryString(authorization, client.clientId)}`;

  /** Creates the challenge of a sign-in by passkey, where passkeys belong to the page's domain. */
  async function createPasskeyForm(request: FastifyRequest, authorization: AuthorizationRequest) {
    if (!deps.passkeys?.isAvailableAt(request.hostname)) return undefined;
    const { ChallengeParameters, Session } = await deps.passkeys.createChallenge();
    const action = toUrl('/passkey', authorization);
    return { action, session: Session, options: ChallengeParameters.CREDENTIAL_REQUEST_OPTIONS ?? '' };
  }

  async function showPage(
    request: FastifyRequest,
    reply: FastifyReply,
    authorization: AuthorizationRequest,
    { email = authorization.loginHint ?? '', formError }: { email?: string; formError?: PageMessage } = {},
  ) {
    const providers = federation.providerNames.map((provider) => ({
      provider,
      href: toUrl('/oauth2/authorize', { ...authorization, provider }),
    }));
    const passkey = await createPasskeyForm(request, authorization);
    const page = renderSignInPage(negotiatePageLanguage(request, authorization.lang), {
      action: toUrl('/login', authorization),
      formToken: cookies.createFormToken(request, reply),
      email,
      formError,
      providers,
      app: deps.app,
      passkey,
    });
    if (formError !== undefined) reply.status(400);
    return sendPage(reply, page, getFormActions(authorization), passkey && passkeyScript);
  }

  function showCodePage(
    request: FastifyRequest,
    reply: FastifyReply,
    authorization: AuthorizationRequest,
    challenge: Pick<ChallengeResponse, 'ChallengeName' | 'Session'>,
    formError?: PageMessage,
  ) {
    const page = renderCodePage(negotiatePageLanguage(request, authorization.lang), {
      action: toUrl('/mfa', authorization),
      signInUrl: toUrl('/login', authorization),
      formToken: cookies.createFormToken(request, reply),
      challengeName: challenge.ChallengeName,
      session: challenge.Session,
      formError,
    });
    if (formError !== undefined) reply.status(400);
    return sendPage(reply, page, getFormActions(authorization));
  }

  /** Reads what the forms of a sign-in have in common. */
  function readForm(request: FastifyRequest) {
    const authorization = parseAuthorizationRequest(request.query, client);
    const caller = getCaller(request, { language: authorization.lang });
    const read = (name: string) => readFormField(request.body, name);
    return {
      authorization,
      caller,
      read,
      isStale: !cookies.hasFormToken(request),
    };
  }

  /** Ends the session of a request's cookie: a new sign-in replaces it. */
  async function endPreviousSession(request: FastifyRequest): Promise<void> {
    const cookie = cookies.read(request, 'session');
    if (cookie !== undefined) await hostedSessions.endSession(cookie);
  }

  /** Starts the session of a sign-in in the browser, in place of the previous one, and redirects to the app. */
  async function completeSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    { cookie, createUrl }: HostedSignIn,
  ): Promise<FastifyReply> {
    await endPreviousSession(request);
    cookies.setSession(reply, cookie, HOSTED_SESSION_LIFETIME_MS);
    return redirect(request, reply, await createUrl());
  }

  const startLimited = { ...WITHOUT_HEAD, config: { rateLimits: rateLimits.identity } };
  app.get('/oauth2/authorize', startLimited, async (request, reply) => {
    const authorization = parseAuthorizationRequest(request.query, client);
    const { provider, prompt } = authorization;
    if (provider !== undefined && prompt !== 'none') {
      const browserId = cookies.ensureBrowserId(request, reply);
      const callbackUrl = `${getBaseUrl(request)}/oauth2/idpresponse`;
      const url = await federation.startSignIn(authorization, provider, { browserId, callbackUrl });
      return redirect(request, reply, url);
    }
    if (prompt !== 'login') {
      const cookie = cookies.read(request, 'session');
      const url = await hostedSessions.continueSession(cookie, authorization, getCaller(request));
      if (url !== undefined) return redirect(request, reply, url);
    }
    if (prompt === 'none') {
      throw new RedirectError(authorization, 'login_required', 'Nobody is signed in.');
    }
    return redirect(request, reply, toUrl('/login', authorization));
  });

  app.get('/login', startLimited, async (request, reply) =>
    showPage(request, reply, parseAuthorizationRequest(request.query, client)),
  );

  app.get(
    '/oauth2/idpresponse',
    { ...WITHOUT_HEAD, config: { rateLimits: rateLimits.signIn } },
    async (request, reply) => {
      const query = new URL(request.url, 'http://localhost').searchParams;
      const browserId = cookies.read(request, 'browser');
      const signIn = await federation.completeSignIn(query, browserId, getCaller(request));
      return completeSignIn(request, reply, signIn);
    },
  );

  const formLimited = { config: { rateLimits: rateLimits.signIn } };
  app.post('/passkey', formLimited, async (request, reply) => {
    const { authorization, caller, read, isStale } = readForm(request);
    if (isStale) return showPage(request, reply, authorization, { formError: 'stale' });
    const answer = { session: read('session'), credential: read('credential') };
    try {
      const signIn = await limitWrongCodes(
        caller,
        () => hostedSessions.signInWithPasskey(answer, authorization, caller),
        { isGuessable: false },
      );
      return completeSignIn(request, reply, signIn);
    } catch (error) {
      return showPage(request, reply, authorization, { formError: toFormError(error) });
    }
  });

  app.post('/login', formLimited, async (request, reply) => {
    const { authorization, caller, read, isStale } = readForm(request);
    const email = read('email');
    const showError = (formError: PageMessage) =>
      showPage(request, reply, authorization, { email, formError });
    if (isStale) return showError('stale');
    // As the app's forms do before they prove the password.
    const password = read('password').normalize();
    if (email === '' || password === '') return showError('wrongPassword');
    const input = {
      email: normalizeUsername(email).slice(0, limits.username.max),
      password: password.slice(0, limits.password.max),
    };
    try {
      const response = await limitConcurrency(() =>
        hostedSessions.signInWithPassword(input, authorization, caller),
      );
      if (!('Session' in response)) return completeSignIn(request, reply, response);
      return showCodePage(request, reply, authorization, response);
    } catch (error) {
      return showError(toFormError(error));
    }
  });

  app.post('/mfa', formLimited, async (request, reply) => {
    const { authorization, caller, read, isStale } = readForm(request);
    const challenge = { ChallengeName: read('challenge'), Session: read('session') };
    const showError = (formError: PageMessage) =>
      showCodePage(request, reply, authorization, challenge, formError);
    if (isStale) return showError('stale');
    // Authenticator apps show a code in two groups.
    const code = read('code').replace(/\s/g, '').slice(0, MAX_CODE_LENGTH);
    const answer = { session: challenge.Session, answer: code };
    try {
      const response = await limitConcurrency(() =>
        limitWrongCodes(caller, () =>
          hostedSessions.signInWithCode(challenge.ChallengeName, answer, authorization, caller),
        ),
      );
      if ('Session' in response) return showCodePage(request, reply, authorization, response);
      return completeSignIn(request, reply, response);
    } catch (error) {
      return showError(toFormError(error));
    }
  });

  app.get('/logout', startLimited, async (request, reply) => {
    const { query } = request;
    // Cognito: a request without logout_uri carries an authorization request and leads to the sign-in page.
    const logoutUri =
      readParameter(query, 'logout_uri') === undefined
        ? undefined
        : readRegisteredUri(query, 'logout_uri', client, client.logoutUris);
    if (logoutUri === undefined) readRegisteredUri(query, 'redirect_uri', client, client.redirectUris);
    await endPreviousSession(request);
    cookies.clearSession(reply);
    if (logoutUri !== undefined) return redirect(request, reply, logoutUri);
    // An invalid authorization request is reported to the app only after the sign-out.
    return redirect(request, reply, toUrl('/login', parseAuthorizationRequest(query, client)));
  });
}
