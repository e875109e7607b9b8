import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../caller.ts';
import { formTargets, go, languageFor, sendPage, typed } from '../hosted/answers.ts';
import { type Cookies, endFormer, only } from '../hosted/cookies.ts';
import { type Hosted, hostedLifetime } from '../hosted/service.ts';
import type { Word } from '../hosted/words.ts';
import { PageFault } from '../oauth/faults.ts';
import { many, parameter } from '../oauth/policy.ts';
import type { Secrets } from '../secrets.ts';
import type { Federation } from './service.ts';
import { readStandIn, standInCode, standInPeople } from './stand-in.ts';
import { standInPage } from './stand-in-page.ts';

interface Ports {
  /** Where browsers reach these pages, the public address first. */
  addresses: readonly [string, ...string[]];
  standIns: boolean;
  secrets: Secrets;
  cookies: Cookies;
  hosted: Hosted;
  federation: Federation;
}

/** The way back from other providers, and the page that stands in for them. */
export function registerFederation(app: FastifyInstance, ports: Ports): void {
  const { addresses, secrets, cookies, hosted, federation } = ports;
  const base = new URL(addresses[0]).pathname;

  app.get('/oauth2/idpresponse', only, async (request, reply) => {
    const query = new URL(request.url, 'http://here').searchParams;
    const caller = callerOf(request, secrets, undefined);
    const { cookie, address } = await federation.finish(query, cookies.read(request, 'browser'), caller);
    await endFormer(request, ports);
    cookies.setSession(reply, cookie, hostedLifetime);
    return go(request, reply, address);
  });

  if (!ports.standIns) return;

  async function visitOf(request: FastifyRequest) {
    const state = parameter(request.query, 'state');
    const browser = cookies.read(request, 'browser');
    const visit = state === many ? undefined : await federation.find(state, browser);
    if (!visit || typeof state !== 'string' || browser === undefined) throw new PageFault('interrupted');
    return { visit, state, browser };
  }

  async function show(request: FastifyRequest, reply: FastifyReply, flaw?: Word) {
    const { visit, state, browser } = await visitOf(request);
    const html = standInPage(languageFor(request, visit.request.lang), {
      provider: visit.provider,
      action: `${base}/stand-in?state=${encodeURIComponent(state)}`,
      formToken: hosted.formToken(browser),
      flaw,
    });
    return sendPage(flaw === undefined ? reply : reply.status(400), html, formTargets(visit.request));
  }

  app.get('/stand-in', only, (request, reply) => show(request, reply));

  app.post('/stand-in', async (request, reply) => {
    const { visit, state, browser } = await visitOf(request);
    const { body } = request;
    if (!hosted.isFormToken(browser, typed(body, 'form_token'))) return show(request, reply, 'stale');
    const answer = new URL(visit.callback);
    answer.searchParams.set('state', state);
    if (typed(body, 'choice') === 'cancel') {
      answer.searchParams.set('error', 'access_denied');
      return go(request, reply, answer.href);
    }
    const ready = standInPeople[Number(typed(body, 'person') || 'none')];
    const person = ready ?? readStandIn(typed(body, 'name'), typed(body, 'email'));
    if (!person) return show(request, reply, 'standInMissing');
    answer.searchParams.set('code', standInCode(secrets, state, person));
    return go(request, reply, answer.href);
  });
}
