import { forgotPasswordForm, limits, rateLimits } from '@escucho/contracts';
import { type Language, renderPage, sendPage } from '@escucho/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import * as z from 'zod/mini';
import { type Secrets, sha256 } from '../crypto.ts';
import type { ProviderName } from '../database.ts';
import {
  type Cookies,
  getFormActions,
  negotiatePageLanguage,
  readFormField,
  redirect,
  WITHOUT_HEAD,
} from '../hosted/http.ts';
import { type FormProps, type PageMessage, pageMessages, renderFormStart } from '../hosted/pages.ts';
import { PageError, readParameter } from '../oauth/policy.ts';
import { providerNames } from '../users/presenter.ts';
import type { IdentityProvider, ProviderProfile } from './providers.ts';
import type { FederationService } from './service.ts';

/** The path of the page below the provider's address. */
const SIMULATOR_PATH = '/stand-in';

const simulatedUserSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(120), z.regex(/^[^\p{Cc}\p{Cs}]*$/u)),
  email: forgotPasswordForm.shape.email,
});

type SimulatedUser = z.infer<typeof simulatedUserSchema>;

/** The users one can choose on the simulator's page. */
const simulatedUsers: readonly SimulatedUser[] = [
  { name: 'Lucía Paredes', email: 'lucia.paredes@example.com' },
  { name: 'Mateo Quiroga', email: 'mateo.quiroga@example.com' },
  { name: 'Emma Clarke', email: 'emma.clarke@example.com' },
];

/** Parses a user typed into the simulator's form. */
function parseSimulatedUser(name: string, email: string): SimulatedUser | undefined {
  return simulatedUserSchema.safeParse({ name, email: email.trim() }).data;
}

/** Derives a profile: the same address is the same user, and subjects are digits like those of the real providers. */
function toProfile(provider: ProviderName, { name, email }: SimulatedUser): ProviderProfile {
  const [givenName = '', ...rest] = name.split(/\s+/);
  return {
    subject: sha256(`${provider} ${email.toLowerCase()}`).readBigUInt64BE().toString().padStart(20, '0'),
    email,
    emailVerified: provider === 'google',
    givenName,
    familyName: rest.join(' ') || null,
  };
}

/** Creates the simulator's authorization code: the user, encrypted for this state only. */
function createSimulatorCode(secrets: Secrets, state: string, user: SimulatedUser): string {
  const plain = Buffer.from(JSON.stringify(user));
  return secrets.encrypt('federation', `simulator ${state}`, plain).toString('base64url');
}

/** Creates a simulated provider, for development without credentials of the real one. */
export function createSimulatedProvider(secrets: Secrets, provider: ProviderName): IdentityProvider {
  return {
    async getAuthorizationUrl({ callbackUrl, state }) {
      const page = new URL(callbackUrl.replace(/\/oauth2\/idpresponse$/, SIMULATOR_PATH));
      page.searchParams.set('state', state);
      return page;
    },
    async fetchProfile({ state }, url) {
      const code = Buffer.from(url.searchParams.get('code') ?? '', 'base64url');
      const plain = secrets.decrypt('federation', `simulator ${state}`, code);
      if (!plain) throw new Error('The code was not created by the simulator.');
      return toProfile(provider, simulatedUserSchema.parse(JSON.parse(plain.toString())));
    },
  };
}

interface SimulatorPageProps extends FormProps {
  provider: ProviderName;
}

/** Renders the simulator's page: one of the ready-made users, or any name and address. */
function renderSimulatorPage(language: Language, { provider, ...form }: SimulatorPageProps): string {
  const text = pageMessages[language];
  const name = providerNames[provider];
  const users = simulatedUsers.map(
    (user, index) =>
      html`<label class="choice"><input type="radio" name="person" value="${index}"${index === 0 ? ' checked' : ''}><span>${user.name}<br><span class="quiet">${user.email}</span></span></label>
`,
  );
  const main = html`<header>
<h1>${text[provider]}</h1>
<p class="quiet">${text.simulatorAbout.replaceAll('{provider}', name)}</p>
</header>
<div class="card">
!${renderFormStart(form, language)}
!${users}<label class="choice"><input type="radio" name="person" value="other"${form.formError === undefined ? '' : ' checked'}><span>${text.someoneElse}</span></label>
<label>${text.name}<input name="name" autocomplete="off" maxlength="120"></label>
<label>${text.email}<input type="email" name="email" autocomplete="off" maxlength="${limits.username.max}"></label>
<button type="submit" name="choice" value="accept">${text.signIn}</button>
<button type="submit" name="choice" value="cancel" class="plain" formnovalidate>${text.cancel}</button>
</form>
</div>`;
  return renderPage(language, name, main, { narrow: true });
}

export interface SimulatorDeps {
  /** Base URLs of the hosted pages, the public one first. */
  addresses: readonly [string, ...string[]];
  secrets: Secrets;
  cookies: Cookies;
  federation: FederationService;
}

/** Registers the simulator's page and its form. */
export function registerSimulator(app: FastifyInstance, deps: SimulatorDeps): void {
  const { addresses, secrets, cookies, federation } = deps;
  const basePath = new URL(addresses[0]).pathname;

  async function findSignIn(request: FastifyRequest) {
    const state = readParameter(request.query, 'state') ?? '';
    const signIn = await federation.findSignIn(state, cookies.read(request, 'browser'));
    if (!signIn) throw new PageError('interrupted');
    return { signIn, state };
  }

  async function showPage(request: FastifyRequest, reply: FastifyReply, formError?: PageMessage) {
    const { signIn, state } = await findSignIn(request);
    const page = renderSimulatorPage(negotiatePageLanguage(request, signIn.request.lang), {
      provider: signIn.provider,
      action: `${basePath}${SIMULATOR_PATH}?state=${encodeURIComponent(state)}`,
      formToken: cookies.createFormToken(request, reply),
      formError,
    });
    if (formError !== undefined) reply.status(400);
    return sendPage(reply, page, getFormActions(signIn.request));
  }

  app.get(SIMULATOR_PATH, WITHOUT_HEAD, (request, reply) => showPage(request, reply));

  app.post(SIMULATOR_PATH, { config: { rateLimits: rateLimits.simulator } }, async (request, reply) => {
    const { signIn, state } = await findSignIn(request);
    const { body } = request;
    if (!cookies.hasFormToken(request)) return showPage(request, reply, 'stale');
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
