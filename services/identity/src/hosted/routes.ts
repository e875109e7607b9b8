import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../caller.ts';
import type { Database } from '../database.ts';
import { registerFederation } from '../federation/routes.ts';
import type { Federation } from '../federation/service.ts';
import { RedirectFault } from '../oauth/faults.ts';
import {
  type AuthorizationRequest,
  answering,
  checkedTarget,
  type OAuthClient,
  parameter,
  queryOf,
  readAuthorizationRequest,
} from '../oauth/policy.ts';
import type { Authorizations } from '../oauth/service.ts';
import type { Gate } from '../protocol/gate.ts';
import type { Secrets } from '../secrets.ts';
import { nameOf } from '../users/policy.ts';
import { answerFault, formTargets, go, languageFor, sendPage, typed } from './answers.ts';
import { type Cookies, endFormer, only } from './cookies.ts';
import { flawOf, signInPage } from './page.ts';
import { type Hosted, hostedLifetime } from './service.ts';
import type { Word } from './words.ts';

interface Ports {
  db: Database;
  client: OAuthClient;
  /** Where browsers reach these pages, the public address first. */
  addresses: readonly [string, ...string[]];
  /** Pages of the app, as addresses or paths. */
  app: { signUp?: string; forgotPassword?: string };
  standIns: boolean;
  secrets: Secrets;
  cookies: Cookies;
  hosted: Hosted;
  authorizations: Authorizations;
  federation: Federation;
  gate: Gate;
}

/** The pages that browsers visit: /oauth2/authorize, /login, /logout, and the way back from other providers. */
export async function registerHostedPages(app: FastifyInstance, ports: Ports): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: 64 * 1024 });
  app.setErrorHandler(answerFault);
  registerSignIn(app, ports);
  registerFederation(app, ports);
  registerLogout(app, ports);
}

function registerSignIn(app: FastifyInstance, ports: Ports): void {
  const { db, client, addresses, secrets, cookies, hosted, authorizations, federation, gate } = ports;
  const base = new URL(addresses[0]).pathname;
  const hereOf = (request: FastifyRequest) => {
    const origin = `${request.protocol}://${request.host}`;
    return addresses.find((address) => new URL(address).origin === origin) ?? addresses[0];
  };
  const loginOf = (asked: AuthorizationRequest) => `${base}/login?${queryOf(asked, client.clientId)}`;

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AuthorizationRequest,
    { email = asked.loginHint ?? '', flaw }: { email?: string; flaw?: Word } = {},
  ) {
    const doors = federation.names.map((provider) => ({
      provider,
      href: `${base}/oauth2/authorize?${queryOf({ ...asked, provider }, client.clientId)}`,
    }));
    const html = signInPage(languageFor(request, asked.lang), {
      action: loginOf(asked),
      formToken: hosted.formToken(cookies.browser(request, reply)),
      email,
      flaw,
      doors,
      signUp: ports.app.signUp,
      forgot: ports.app.forgotPassword,
    });
    return sendPage(flaw === undefined ? reply : reply.status(400), html, formTargets(asked));
  }

  app.get('/oauth2/authorize', only, async (request, reply) => {
    const asked = readAuthorizationRequest(request.query, client);
    if (asked.provider !== undefined && asked.prompt !== 'none') {
      const browser = cookies.browser(request, reply);
      const callback = `${hereOf(request)}/oauth2/idpresponse`;
      return go(request, reply, await federation.begin(asked, asked.provider, { browser, callback }));
    }
    const signedIn = await hosted.find(cookies.read(request, 'session'));
    if (signedIn && asked.prompt !== 'login') {
      const { agent } = callerOf(request, secrets, undefined);
      return go(request, reply, await authorizations.grant(db, asked, { ...signedIn, agent }));
    }
    if (asked.prompt === 'none') {
      throw new RedirectFault(answering(asked), 'login_required', 'Nobody is signed in.');
    }
    return go(request, reply, loginOf(asked));
  });

  app.get('/login', only, async (request, reply) =>
    show(request, reply, readAuthorizationRequest(request.query, client)),
  );

  app.post('/login', async (request, reply) => {
    const asked = readAuthorizationRequest(request.query, client);
    const email = typed(request.body, 'email');
    if (!hosted.isFormToken(cookies.read(request, 'browser'), typed(request.body, 'form_token'))) {
      return show(request, reply, asked, { email, flaw: 'stale' });
    }
    const password = typed(request.body, 'password');
    if (email === '' || password === '') return show(request, reply, asked, { email, flaw: 'wrong' });
    const caller = callerOf(request, secrets, asked.lang);
    const given = { email: nameOf(email).slice(0, 128), password: password.slice(0, 256) };
    try {
      const { cookie, result } = await gate(() =>
        hosted.byPassword(given, caller, (tx, signedIn) =>
          authorizations.grant(tx, asked, { ...signedIn, agent: caller.agent }),
        ),
      );
      await endFormer(request, ports);
      cookies.setSession(reply, cookie, hostedLifetime);
      return go(request, reply, result);
    } catch (error) {
      const flaw = flawOf(error);
      if (flaw === undefined) throw error;
      return show(request, reply, asked, { email, flaw });
    }
  });
}

function registerLogout(app: FastifyInstance, ports: Ports): void {
  const { client, addresses, cookies } = ports;
  const base = new URL(addresses[0]).pathname;

  app.get('/logout', only, async (request, reply) => {
    // Whoever wants to come back to sign in names what a sign-in needs instead of a target.
    const again = parameter(request.query, 'logout_uri') === undefined;
    if (again) checkedTarget(request.query, 'redirect_uri', client, client.signIn);
    const target = again ? undefined : checkedTarget(request.query, 'logout_uri', client, client.signOut);
    await endFormer(request, ports);
    cookies.clearSession(reply);
    // What is wrong with the sign-in is told to the app, after the sign-out that was asked for.
    const asked = () => queryOf(readAuthorizationRequest(request.query, client), client.clientId);
    return go(request, reply, target ?? `${base}/login?${asked()}`);
  });
}
