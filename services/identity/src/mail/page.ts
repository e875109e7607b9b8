import { escapeHtml, type Language, renderPage } from '@escucho/service-kit';
import type { Mail } from './mailer.ts';

const words = {
  en: {
    title: 'Outbox',
    about: 'Mail this installation has written. Nothing leaves this machine.',
    none: 'No mail yet. When somebody signs up, their code appears here.',
    noneFor: 'No mail for this address yet.',
    code: 'Code',
    message: 'Message',
    to: 'To',
    refresh: 'Refresh',
    everything: 'Show all',
  },
  es: {
    title: 'Bandeja de salida',
    about: 'El correo que ha escrito esta instalación. Nada sale de esta máquina.',
    none: 'Todavía no hay correo. Cuando alguien se registre, su código aparecerá aquí.',
    noneFor: 'Todavía no hay correo para esta dirección.',
    code: 'Código',
    message: 'Mensaje',
    to: 'Para',
    refresh: 'Actualizar',
    everything: 'Mostrar todo',
  },
} as const;

function entry({ to, subject, text, code, createdAt }: Mail, language: Language): string {
  const { code: codeWord, to: toWord, message } = words[language];
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    createdAt,
  );
  return `<li>
<h2>${escapeHtml(subject)}</h2>
<p class="quiet">${toWord} <a href="?to=${escapeHtml(encodeURIComponent(to))}">${escapeHtml(to)}</a> · <time datetime="${createdAt.toISOString()}">${escapeHtml(moment)}</time></p>
${code === null ? '' : `<p><span class="quiet">${codeWord}</span><br><strong class="code">${escapeHtml(code)}</strong></p>`}
<details><summary>${message}</summary><div class="text">${escapeHtml(text)}</div></details>
</li>`;
}

/** The page as HTML. In: the reader's language, the mails to show, the address they are limited to, if any. */
export function outboxPage(language: Language, mails: readonly Mail[], address: string | undefined): string {
  const { title, about, none, noneFor, refresh, everything } = words[language];
  const list = mails.map((mail) => entry(mail, language)).join('\n');
  const empty = `<p>${address === undefined ? none : noneFor}</p>`;
  return renderPage(
    language,
    title,
    `<h1>${title}</h1>
<p class="quiet">${about}</p>
<nav><a href="">${refresh}</a>${address === undefined ? '' : `<a href="?">${everything}</a>`}</nav>
${list === '' ? empty : `<ol>\n${list}\n</ol>`}`,
  );
}
