import { rateLimits } from '@escucho/contracts';
import { sendPage } from '@escucho/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getCaller } from '../caller.ts';
import type { Secrets } from '../crypto.ts';
import {
  type Cookies,
  getFormActions,
  negotiatePageLanguage,
  readFormField,
  redirect,
  WITHOUT_HEAD,
} from '../hosted/http.ts';
import type { PageMessage } from '../hosted/pages.ts';
import { completeSignIn, type HostedSessionService } from '../hosted/service.ts';
import { invalidParameter, PageError, readParameter } from '../oauth/policy.ts';
import type { FederationService } from './service.ts';
import {
  createSimulatorCode,
  parseSimulatedUser,
  renderSimulatorPage,
  SIMULATOR_PATH,
  simulatedUsers,
} from './simulator.ts';

export interface FederationDeps {
  /** Base URLs of the hosted pages, the public one first. */
  addresses: readonly [string, ...string[]];
  simulateProviders: boolean;
  secrets: Secrets;
  cookies: Cookies;
  hostedSessions: HostedSessionService;
  federation: FederationService;
}

/** Registers the callback of other providers, and the simulator's page. */
export function registerFederation(app: FastifyInstance, deps: FederationDeps): void {
  const { addresses, secrets, cookies, hostedSessions, federation } = deps;
  const basePath = new URL(addresses[0]).pathname;

  app.get(
    '/oauth2/idpresponse',
    { ...WITHOUT_HEAD, config: { rateLimits: rateLimits.signIn } },
    async (request, reply) => {
      const query = new URL(request.url, 'http://localhost').searchParams;
      const browserId = cookies.read(request, 'browser');
      const signIn = await federation.completeSignIn(query, browserId, getCaller(request));
      return completeSignIn(request, reply, signIn, deps);
    },
  );

  if (!deps.simulateProviders) return;

  async function findSignIn(request: FastifyRequest) {
    const state = readParameter(request.query, 'state');
    const browserId = cookies.read(request, 'browser');
    const signIn = state === invalidParameter ? undefined : await federation.findSignIn(state, browserId);
    if (!signIn || typeof state !== 'string' || browserId === undefined) throw new PageError('interrupted');
    return { signIn, state, browserId };
  }

  async function showPage(request: FastifyRequest, reply: FastifyReply, formError?: PageMessage) {
    const { signIn, state, browserId } = await findSignIn(request);
    const page = renderSimulatorPage(negotiatePageLanguage(request, signIn.request.lang), {
      provider: signIn.provider,
      action: `${basePath}${SIMULATOR_PATH}?state=${encodeURIComponent(state)}`,
      formToken: hostedSessions.createFormToken(browserId),
      formError,
    });
    if (formError !== undefined) reply.status(400);
    return sendPage(reply, page, getFormActions(signIn.request));
  }

  app.get(SIMULATOR_PATH, WITHOUT_HEAD, (request, reply) => showPage(request, reply));

  app.post(SIMULATOR_PATH, { config: { rateLimits: rateLimits.simulator } }, async (request, reply) => {
    const { signIn, state, browserId } = await findSignIn(request);
    const { body } = request;
    if (!hostedSessions.isFormToken(browserId, readFormField(body, 'form_token'))) {
      return showPage(request, reply, 'stale');
    }
    const url = new URL(signIn.callbackUrl);
    url.searchParams.set('state', state);
    if (readFormField(body, 'choice') === 'cancel') {
      url.searchParams.set('error', 'access_denied');
      return redirect(request, reply, url.href);
    }
    const user =
      simulatedUsers[Number(readFormField(body, 'person') || 'none')] ??
      parseSimulatedUser(readFormField(body, 'name'), readFormField(body, 'email'));
    if (!user) return showPage(request, reply, 'nameOrEmailMissing');
    url.searchParams.set('code', createSimulatorCode(secrets, state, user));
    return redirect(request, reply, url.href);
  });
}
