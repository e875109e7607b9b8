import { createHash } from 'node:crypto';
import type { Language } from '@escucho/service-kit';
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

const style = `
:root { color-scheme: dark light; --bg: #0f0d0c; --card: #181514; --line: #ffffff17; --fg: #f7f2ee; --muted: #b3a9a2; --accent: #ff9a73; }
@media (prefers-color-scheme: light) { :root { --bg: #faf7f4; --card: #fff; --line: #1f140d1c; --fg: #1d1512; --muted: #675c55; --accent: #b03a09; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--fg); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1rem 4rem; }
h1, h2 { font-family: Georgia, 'Times New Roman', serif; font-weight: 600; line-height: 1.25; margin: 0; }
h1 { font-size: 2rem; }
h2 { font-size: 1.125rem; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
nav { display: flex; gap: .75rem; margin: 1rem 0 1.5rem; }
nav a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1rem; border: 1px solid var(--line); border-radius: .75rem; text-decoration: none; }
a { color: var(--accent); overflow-wrap: anywhere; }
summary { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--muted); cursor: pointer; }
summary::before { content: '+'; width: 1.25rem; color: var(--accent); }
[open] > summary::before { content: '−'; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 1rem; }
li { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; }
.quiet { color: var(--muted); font-size: .875rem; overflow-wrap: anywhere; }
.code { font-size: 2.25rem; font-weight: 700; line-height: 1.4; letter-spacing: .12em; font-variant-numeric: tabular-nums; color: var(--accent); user-select: all; }
.text { white-space: pre-line; color: var(--muted); overflow-wrap: anywhere; }
`;

/** What the page may load and do: its own style, nothing else. */
export const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML shows it, in content and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function entry({ to, subject, text, code, createdAt }: Mail, language: Language): string {
  const { code: codeWord, to: toWord, message } = words[language];
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    createdAt,
  );
  return `<li>
<h2>${escapeHtml(subject)}</h2>
<p class="quiet">${toWord} <a href="?to=${escapeHtml(encodeURIComponent(to))}">${escapeHtml(to)}</a> · <time datetime="${createdAt.toISOString()}">${escapeHtml(moment)}</time></p>
<p><span class="quiet">${codeWord}</span><br><strong class="code">${escapeHtml(code)}</strong></p>
<details><summary>${message}</summary><div class="text">${escapeHtml(text)}</div></details>
</li>`;
}

/** The page as HTML. In: the reader's language, the mails to show, the address they are limited to, if any. */
export function outboxPage(language: Language, mails: readonly Mail[], address: string | undefined): string {
  const { title, about, none, noneFor, refresh, everything } = words[language];
  const list = mails.map((mail) => entry(mail, language)).join('\n');
  const empty = `<p>${address === undefined ? none : noneFor}</p>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Escucho</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="quiet">${about}</p>
<nav><a href="">${refresh}</a>${address === undefined ? '' : `<a href="?">${everything}</a>`}</nav>
${list === '' ? empty : `<ol>\n${list}\n</ol>`}
</main>
</body>
</html>
`;
}
