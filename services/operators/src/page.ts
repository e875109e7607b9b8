import { operatorNames, type Platform } from '@escucho/contracts';
import { escapeHtml, type Language, renderPage } from '@escucho/service-kit';
import { type Subscriber, subscribersOf } from './subscribers.ts';
import { words } from './words.ts';

const fill = (text: string, params: Record<string, string>) =>
  escapeHtml(text.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''));

const platforms = Object.entries(operatorNames);

/** The page that leads to each operator's. In: the language, and the address the simulator is mounted at. */
export function indexPage(language: Language, base: string): string {
  const { title, about, subscribers } = words[language];
  const doors = platforms.map(
    ([platform, name]) =>
      `<li class="row"><h2>${name}</h2><a class="button solid" href="${base}/${platform}" aria-label="${subscribers}: ${name}">${subscribers}</a></li>`,
  );
  const main = `<header>
<h1>${title}</h1>
<p class="quiet">${about}</p>
</header>
<ol>
${doors.join('\n')}
</ol>`;
  return renderPage(language, title, main);
}

function entry({ kind, msisdn, firstName, lastName }: Subscriber, language: Language, href: string): string {
  const text = words[language];
  const name = `${firstName} ${lastName}`;
  return `<li class="row">
<div>
<h2>${escapeHtml(name)} <span class="chip ${kind}">${text[kind]}</span></h2>
<p class="quiet">+${msisdn} · ${text[`${kind}About`]}</p>
</div>
<a class="button solid" href="${escapeHtml(href)}" aria-label="${fill(text.enterAs, { name })}">${text.enter}</a>
</li>`;
}

/**
 * An operator's subscription page as HTML. In: the language, the operator, the address the simulator is mounted at, and
 * how a subscriber's link is made.
 */
export function operatorPage(
  language: Language,
  { platform, base, linkOf }: { platform: Platform; base: string; linkOf: (of: Subscriber) => string },
): string {
  const text = words[language];
  const name = operatorNames[platform];
  const tabs = platforms.map(
    ([one, title]) =>
      `<a href="${base}/${one}"${one === platform ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  const entries = subscribersOf(platform).map((one) => entry(one, language, linkOf(one)));
  const main = `<header>
<h1>${name}</h1>
<p class="quiet">${fill(text.pageAbout, { operator: name })} ${text.refused}</p>
</header>
<nav aria-label="${text.operators}">${tabs.join('')}</nav>
<section aria-label="${text.subscribers}">
<ol>
${entries.join('\n')}
</ol>
</section>
<p class="links"><a href="${base}">${text.back}</a><a href="/auth/sign-in">${text.signIn}</a></p>`;
  return renderPage(language, `${name} · ${text.title}`, main);
}
