import { escapeHtml, type Language, renderPage } from '@escucho/service-kit';
import type { ProviderName } from '../database.ts';
import { Fault, faults } from '../faults.ts';
import { type Word, words } from './words.ts';

/** What the sign-in page shows; addresses lead where they say, and are given whole. */
export interface SignInPage {
  action: string;
  formToken: string;
  email: string;
  flaw: Word | undefined;
  /** Other providers that may be chosen, with the address of each. */
  doors: readonly { provider: ProviderName; href: string }[];
  /** Pages of the app for those without an account, or without their password. */
  signUp: string | undefined;
  forgot: string | undefined;
}

const flawOfMessage = new Map<string, Word>([
  [faults.wrongPassword().message, 'wrong'],
  [faults.lockedOut().message, 'locked'],
  [faults.notConfirmed().message, 'unconfirmed'],
  [faults.resetRequired().message, 'renew'],
  [faults.disabled().message, 'disabled'],
  [faults.tooBusy().message, 'busy'],
]);

/** What the page says of a refusal; nothing for what is not one of a sign-in. */
export function flawOf(error: unknown): Word | undefined {
  return error instanceof Fault ? flawOfMessage.get(error.message) : undefined;
}

/** A refusal above a form, read aloud when the page comes. */
export function flawLine(flaw: Word | undefined, language: Language): string {
  return flaw === undefined ? '' : `<p class="flaw" role="alert">${escapeHtml(words[language][flaw])}</p>`;
}

const link = (href: string | undefined, text: string) =>
  href === undefined ? '' : `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;

/** The sign-in page as HTML. */
export function signInPage(language: Language, page: SignInPage): string {
  const text = words[language];
  const doors = page.doors
    .map(({ provider, href }) => `<a class="button" href="${escapeHtml(href)}">${text[provider]}</a>`)
    .join('\n');
  const links = [link(page.forgot, text.forgot), link(page.signUp, text.signUp)].filter(Boolean).join('\n');
  const main = `<header>
<h1>${text.signIn}</h1>
<p class="quiet">${text.signInAbout}</p>
</header>
<div class="card">
<form method="post" action="${escapeHtml(page.action)}">
${flawLine(page.flaw, language)}
<input type="hidden" name="form_token" value="${escapeHtml(page.formToken)}">
<label>${text.email}<input type="email" name="email" autocomplete="username" inputmode="email" required maxlength="128" value="${escapeHtml(page.email)}"></label>
<label>${text.password}<input type="password" name="password" autocomplete="current-password" required maxlength="256"></label>
<button type="submit">${text.signIn}</button>
</form>
${doors === '' ? '' : `<div class="doors">\n${doors}\n</div>`}
${links === '' ? '' : `<div class="links">\n${links}\n</div>`}
</div>`;
  return renderPage(language, text.signIn, main, { narrow: true });
}

/** The page for who cannot be sent back to the app. */
export function faultPage(language: Language, flaw: Word): string {
  const text = words[language];
  const main = `<h1>${text.faultTitle}</h1>\n<p role="alert">${escapeHtml(text[flaw])}</p>`;
  return renderPage(language, text.faultTitle, main, { narrow: true });
}
