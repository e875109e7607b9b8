import { operatorNames, type Platform } from '@escucho/contracts';
import { type Language, renderPage } from '@escucho/service-kit';
import { html } from 'ghtml';
import { getSubscribers, type Subscriber } from './subscribers.ts';

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

const operators = Object.entries(operatorNames);

/**
 * Renders the page that links to each operator's page.
 * @param basePath the path the simulator is mounted at
 */
export function renderIndexPage(language: Language, basePath: string): string {
  const { title, description, subscribers } = messages[language];
  const items = operators.map(
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
export function renderOperatorPage(
  language: Language,
  { platform, basePath, createLink }: OperatorPageProps,
): string {
  const text = messages[language];
  const name = operatorNames[platform];
  const tabs = operators.map(
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
