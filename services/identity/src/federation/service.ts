import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import type { Database, ProviderName } from '../database.ts';
import type { Hosted } from '../hosted/service.ts';
import { PageFault, RedirectFault } from '../oauth/faults.ts';
import { type AuthorizationRequest, answering } from '../oauth/policy.ts';
import type { Authorizations } from '../oauth/service.ts';
import type { Secrets } from '../secrets.ts';
import { entryFault } from '../users/policy.ts';
import type { UserRepository } from '../users/repository.ts';
import type { FederationRepository } from './repository.ts';
import type { Upstream, UpstreamProfile } from './upstream.ts';

interface Ports {
  db: Database;
  secrets: Secrets;
  upstreams: ReadonlyMap<ProviderName, Upstream>;
  users: UserRepository;
  federation: FederationRepository;
  hosted: Hosted;
  authorizations: Authorizations;
  /** What our own failures are told to; the first argument is for the log alone. */
  report: (error: unknown, message: string) => void;
  clock: () => Date;
}

/** How long somebody may take at another provider, in milliseconds. */
const visitLifetime = 15 * 60_000;

const optional = z.optional(z.string());
const kept = z.object({
  provider: z.enum(['google', 'facebook']),
  browser: z.string(),
  callback: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  request: z.object({
    responseType: z.enum(['code', 'token']),
    redirectUri: z.string(),
    scope: z.string(),
    state: optional,
    challenge: optional,
    nonce: optional,
    provider: z.optional(z.enum(['google', 'facebook'])),
    loginHint: optional,
    lang: optional,
    prompt: z.optional(z.enum(['none', 'login'])),
  }),
});

type Kept = z.infer<typeof kept>;

/** A visit that goes on. */
export interface Visiting extends Omit<Kept, 'request'> {
  request: AuthorizationRequest;
}

const hashOf = (state: string) => createHash('sha256').update(state).digest();
const random = () => randomBytes(32).toString('base64url');

/** What was sealed. What is kept leaves out what is not there; a request has every member. */
function visitingOf(plain: Buffer): Visiting {
  const { request: sealed, ...visit } = kept.parse(JSON.parse(plain.toString()));
  const { state, challenge, nonce, provider, loginHint, lang, prompt, ...rest } = sealed;
  return { ...visit, request: { ...rest, state, challenge, nonce, provider, loginHint, lang, prompt } };
}

/** Sign-in by another provider: the way there, and the way back in the same browser, once. */
export function createFederation(ports: Ports) {
  const { db, secrets, upstreams, users, federation, hosted, authorizations, report, clock } = ports;

  /** Sends somebody to a provider. In: the browser's own value, and where the provider is to send it back. Out: the address there. */
  async function begin(
    request: AuthorizationRequest,
    provider: ProviderName,
    { browser, callback }: { browser: string; callback: string },
  ): Promise<string> {
    const to = answering(request);
    const upstream = upstreams.get(provider);
    if (!upstream) throw new RedirectFault(to, 'invalid_request', 'This identity provider is not set up.');
    const visit: Visiting = { provider, browser, callback, nonce: random(), verifier: random(), request };
    const state = random();
    const { loginHint } = request;
    const address = await upstream.begin({ ...visit, state, loginHint }).catch((error: unknown) => {
      report(error, 'identity provider could not be reached');
      throw new RedirectFault(to, 'server_error', 'The identity provider could not be reached.');
    });
    const sealed = secrets.seal('federation', state, Buffer.from(JSON.stringify(visit)));
    await federation.insertVisit(db, hashOf(state), sealed, new Date(clock().getTime() + visitLifetime));
    return address.href;
  }

  /** The visit of a state, if this browser began it and it goes on. */
  async function find(state: string | undefined, browser: string | undefined): Promise<Visiting | undefined> {
    const found = state === undefined ? undefined : await federation.findVisit(db, hashOf(state));
    if (!found || state === undefined || found.expiresAt <= clock()) return undefined;
    const plain = secrets.open('federation', state, found.sealed);
    const visit = plain && visitingOf(plain);
    return visit && visit.browser === browser ? visit : undefined;
  }

  async function profileFrom(
    visit: Visiting,
    state: string,
    query: URLSearchParams,
  ): Promise<UpstreamProfile> {
    const to = answering(visit.request);
    if (query.get('error') === 'access_denied') {
      throw new RedirectFault(to, 'access_denied', 'The sign-in was refused.');
    }
    try {
      const upstream = upstreams.get(visit.provider);
      if (!upstream) throw new Error('The provider is not set up any more.');
      const address = new URL(`${visit.callback}?${query}`);
      return await upstream.finish({ ...visit, state, loginHint: undefined }, address);
    } catch (error) {
      report(error, 'identity provider failed');
      throw new RedirectFault(to, 'server_error', 'The identity provider did not say who this is.');
    }
  }

  /**
   * Takes somebody who comes back. In: the browser's own value and the query it came with. Out: the browser's new
   * hosted session, and where it goes. Throws `PageFault` where it did not begin here.
   */
  async function finish(query: URLSearchParams, browser: string | undefined, caller: Caller) {
    const state = query.get('state') ?? undefined;
    const visit = await find(state, browser);
    if (!visit || state === undefined) throw new PageFault('interrupted');
    if (!(await federation.endVisit(db, hashOf(state)))) throw new PageFault('interrupted');
    const said = await profileFrom(visit, state, query);
    const { request } = visit;
    return db.transaction().execute(async (tx) => {
      const now = clock();
      const person = await users.person(tx, await federation.keep(tx, visit.provider, said, now));
      if (!person || entryFault(person)) {
        throw new RedirectFault(answering(request), 'access_denied', 'User is disabled.');
      }
      const cookie = await hosted.start(tx, person, now);
      const signedIn = { person, signedInAt: now, agent: caller.agent };
      return { cookie, address: await authorizations.grant(tx, request, signedIn) };
    });
  }

  return { begin, find, finish, names: [...upstreams.keys()] };
}

export type Federation = ReturnType<typeof createFederation>;
