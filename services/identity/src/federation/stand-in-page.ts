import { escapeHtml, type Language, renderPage } from '@escucho/service-kit';
import type { ProviderName } from '../database.ts';
import { flawLine } from '../hosted/page.ts';
import { type Word, words } from '../hosted/words.ts';
import { providerTitles } from '../users/presenter.ts';
import { standInPeople } from './stand-in.ts';

/** What the stand-in page shows. */
export interface StandInPage {
  provider: ProviderName;
  action: string;
  formToken: string;
  flaw: Word | undefined;
}

/** The stand-in page as HTML: somebody ready-made, or a name and an address of one's own. */
export function standInPage(language: Language, page: StandInPage): string {
  const text = words[language];
  const title = providerTitles[page.provider];
  const people = standInPeople
    .map(
      ({ name, email }, index) =>
        `<label class="choice"><input type="radio" name="person" value="${index}"${index === 0 ? ' checked' : ''}><span>${escapeHtml(name)}<br><span class="quiet">${escapeHtml(email)}</span></span></label>`,
    )
    .join('\n');
  const main = `<header>
<h1>${text[page.provider]}</h1>
<p class="quiet">${escapeHtml(text.standInAbout.replaceAll('{provider}', title))}</p>
</header>
<div class="card">
<form method="post" action="${escapeHtml(page.action)}">
${flawLine(page.flaw, language)}
<input type="hidden" name="form_token" value="${escapeHtml(page.formToken)}">
${people}
<label class="choice"><input type="radio" name="person" value="other"${page.flaw === undefined ? '' : ' checked'}><span>${text.someoneElse}</span></label>
<label>${text.name}<input name="name" autocomplete="off" maxlength="120"></label>
<label>${text.email}<input type="email" name="email" autocomplete="off" maxlength="254"></label>
<button type="submit" name="choice" value="accept">${text.signIn}</button>
<button type="submit" name="choice" value="cancel" class="plain" formnovalidate>${text.cancel}</button>
</form>
</div>`;
  return renderPage(language, title, main, { narrow: true });
}
