import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, operatorNames, type Platform, platforms } from '@escucho/contracts';
import {
  isEqualInConstantTime,
  type Language,
  negotiateLanguage,
  renderPage,
  sendPage,
} from '@escucho/service-kit';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import * as z from 'zod/mini';
import { createLinkQuery, getSubscribers, resolveToken, type Subscriber } from './subscribers.ts';

interface OperatorsOptions {
  /** The URL of links into Escucho, without a query. */
  entryUrl: string;
  /** The secret that signs links and tokens. */
  secret: string;
  /** The bearer key that requests to the gateways must have. */
  key: string;
  clock?: () => Date;
  /** The response time for a slow subscriber. */
  slowResponseMs?: number;
}

const DEFAULT_SLOW_RESPONSE_MS = 15_000;

const requestSchema = z.union([
  z.object({ id: z.string() }),
  z.object({ token: z.string(), msisdn: z.optional(z.string()) }),
  z.object({ msisdn: z.string() }),
]);

const getSubscriberId = ({ platform, kind }: Subscriber) => `${platform}-${kind}`;

/** Finds the subscriber of a request, also one that the operator pretends not to know. */
function findSubscriber(
  body: unknown,
  platform: Platform,
  secret: string,
  now: Date,
): Subscriber | undefined {
  const { data } = requestSchema.safeParse(body);
  const subscribers = getSubscribers(platform);
  if (data === undefined) throw new AppError('invalid_request');
  if ('id' in data) return subscribers.find((subscriber) => getSubscriberId(subscriber) === data.id);
  if (!('token' in data)) return subscribers.find(({ msisdn }) => msisdn === data.msisdn);
  const msisdn = resolveToken(data.token, { secret, platform, now });
  if (data.msisdn !== undefined && data.msisdn !== msisdn) return undefined;
  return subscribers.find((subscriber) => subscriber.msisdn === msisdn);
}

/** Responds as an operator's gateway does about a subscriber (EXT-06). */
async function sendSubscriber(
  subscriber: Subscriber,
  reply: FastifyReply,
  slowResponseMs: number,
): Promise<FastifyReply> {
  const { kind, msisdn, firstName, lastName } = subscriber;
  // Sent rather than thrown: an intended failure must not be logged as an error.
  if (kind === 'failing') return reply.status(503).send();
  if (kind === 'slow') {
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    await sleep(slowResponseMs, undefined, { signal: disconnected.signal }).catch(() => undefined);
  }
  const email = `${firstName}.${lastName}@example.com`.normalize('NFD').replace(/[^\w.@]/g, '');
  return reply.send({
    id: getSubscriberId(subscriber),
    msisdn,
    status: kind === 'expired' ? 'expired' : 'active',
    email: email.toLowerCase(),
    firstName,
    lastName,
  });
}

function getPlatform(request: FastifyRequest): Platform {
  const { platform: name } = Object(request.params);
  const platform = platforms.find((each) => each === name);
  if (!platform) throw new AppError('not_found');
  return platform;
}

const getLanguage = (request: FastifyRequest) => negotiateLanguage(request.headers['accept-language']);

/**
 * The operator simulator (EXT-06): for each operator a page with test subscribers and their links into Escucho, and the
 * gateway that Escucho calls. Anybody can sign in through it, so it is for development only.
 */
export const operators: FastifyPluginAsync<OperatorsOptions> = async (app, options) => {
  const { secret, key, entryUrl, clock = () => new Date() } = options;
  const { slowResponseMs = DEFAULT_SLOW_RESPONSE_MS } = options;
  const basePath = app.prefix;

  app.get('/', (request, reply) => sendPage(reply, renderIndexPage(getLanguage(request), basePath)));

  app.get('/:platform', (request, reply) => {
    const page = renderOperatorPage(getLanguage(request), {
      platform: getPlatform(request),
      basePath,
      createLink: (subscriber) => `${entryUrl}?${createLinkQuery(subscriber, secret, clock())}`,
    });
    return sendPage(reply, page);
  });

  // Not limited: the caller has the gateway's key.
  app.post('/:platform/gateway/subscribers/find', { config: { rateLimits: [] } }, (request, reply) => {
    const platform = getPlatform(request);
    const { authorization = '' } = request.headers;
    if (!isEqualInConstantTime(authorization, `Bearer ${key}`)) throw new AppError('unauthorized');
    const subscriber = findSubscriber(request.body, platform, secret, clock());
    if (!subscriber || subscriber.kind === 'unknown') throw new AppError('not_found');
    return sendSubscriber(subscriber, reply, slowResponseMs);
  });
};

const messages = {
  en: {
    title: 'Operator simulator',
    description:
      'It stands in for the mobile operators while none is set up here. Choose one, then come in as one of its test subscribers.',
    operators: 'Operators',
    subscribers: 'Test subscribers',
    operatorDescription:
      'The subscription page of {operator}, simulated. Each button is a link as the operator would give it to that subscriber: signed, good for five minutes, and for one sign-in.',
    unsignedAbout: 'A number that somebody types into the address has no signature, and gets nothing.',
    open: 'Open Escucho',
    openAs: 'Open Escucho for {name}',
    back: 'All operators',
    signIn: 'Escucho’s sign-in',
    active: 'Active',
    expired: 'Expired',
    unknown: 'Unknown',
    slow: 'Slow',
    failing: 'Failing',
    activeAbout: 'Has a running subscription: comes in.',
    expiredAbout: 'Had one; the operator says that it has ended.',
    unknownAbout: 'The operator has never heard of this number.',
    slowAbout: 'The operator’s gateway takes too long to answer.',
    failingAbout: 'The operator’s gateway answers with an error.',
  },
  es: {
    title: 'Simulador de operadores',
    description:
      'Ocupa el lugar de los operadores móviles mientras no haya ninguno configurado aquí. Elige uno y entra como uno de sus suscriptores de prueba.',
    operators: 'Operadores',
    subscribers: 'Suscriptores de prueba',
    operatorDescription:
      'La página de suscripción de {operator}, simulada. Cada botón es un enlace como el que el operador daría a ese suscriptor: firmado, válido durante cinco minutos y para un solo inicio de sesión.',
    unsignedAbout: 'Un número que alguien escribe en la dirección no lleva firma y no consigue nada.',
    open: 'Abrir Escucho',
    openAs: 'Abrir Escucho para {name}',
    back: 'Todos los operadores',
    signIn: 'Inicio de sesión de Escucho',
    active: 'Activa',
    expired: 'Vencida',
    unknown: 'Desconocida',
    slow: 'Lenta',
    failing: 'Con errores',
    activeAbout: 'Tiene una suscripción vigente: entra.',
    expiredAbout: 'Tenía una; el operador dice que terminó.',
    unknownAbout: 'El operador no conoce este número.',
    slowAbout: 'La pasarela del operador tarda demasiado en responder.',
    failingAbout: 'La pasarela del operador responde con un error.',
  },
} as const;

const format = (text: string, params: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');

const names = Object.entries(operatorNames);

/**
 * Renders the page that links to each operator's page.
 * @param basePath the path the simulator is mounted at
 */
function renderIndexPage(language: Language, basePath: string): string {
  const { title, description, subscribers } = messages[language];
  const items = names.map(
    ([platform, name]) =>
      html`<li class="row"><h2>${name}</h2><a class="button solid" href="${basePath}/${platform}" aria-label="${subscribers}: ${name}">${subscribers}</a></li>
`,
  );
  const main = html`<header>
<h1>${title}</h1>
<p class="quiet">${description}</p>
</header>
<ol>!${items}</ol>`;
  return renderPage(language, title, main);
}

function renderSubscriber(
  { kind, msisdn, firstName, lastName }: Subscriber,
  language: Language,
  href: string,
): string {
  const text = messages[language];
  const name = `${firstName} ${lastName}`;
  return html`<li class="row">
<div>
<h2>${name} <span class="chip ${kind}">${text[kind]}</span></h2>
<p class="quiet">+${msisdn} · ${text[`${kind}About`]}</p>
</div>
<a class="button solid" href="${href}" aria-label="${format(text.openAs, { name })}">${text.open}</a>
</li>
`;
}

interface OperatorPageProps {
  platform: Platform;
  basePath: string;
  createLink: (subscriber: Subscriber) => string;
}

/** Renders an operator's subscription page. */
function renderOperatorPage(
  language: Language,
  { platform, basePath, createLink }: OperatorPageProps,
): string {
  const text = messages[language];
  const name = operatorNames[platform];
  const tabs = names.map(
    ([id, title]) =>
      html`<a href="${basePath}/${id}"!${id === platform ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  const subscribers = getSubscribers(platform).map((subscriber) =>
    renderSubscriber(subscriber, language, createLink(subscriber)),
  );
  const main = html`<header>
<h1>${name}</h1>
<p class="quiet">${format(text.operatorDescription, { operator: name })} ${text.unsignedAbout}</p>
</header>
<nav aria-label="${text.operators}">!${tabs}</nav>
<section aria-label="${text.subscribers}">
<ol>!${subscribers}</ol>
</section>
<p class="links"><a href="${basePath}">${text.back}</a><a href="/auth/sign-in">${text.signIn}</a></p>`;
  return renderPage(language, `${name} · ${text.title}`, main);
}
