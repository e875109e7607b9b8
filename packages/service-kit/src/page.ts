import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { html } from 'ghtml';
import type { Language } from './language.ts';

const style = `
:root { color-scheme: dark; --bg: #0b0e18; --card: #121726; --line: #ffffff1a; --edge: #76809b; --fg: #f4f1ea; --muted: #aab1c4; --accent: #ffab7d; --fill: #ff9259; --on-fill: #2b1206; --danger: #ff9d97; }
@media (prefers-color-scheme: light) { :root { color-scheme: light; --bg: #f6efe4; --card: #fffbf4; --line: #3b270f24; --edge: #8c7b66; --fg: #241b12; --muted: #645746; --accent: #a43a10; --fill: #bf451a; --on-fill: #fffaf3; --danger: #ab2318; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--fg); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1rem 4rem; }
.narrow { max-width: 26rem; }
h1, h2 { font-family: Georgia, 'Times New Roman', serif; font-weight: 600; line-height: 1.25; margin: 0; }
h1 { font-size: 2rem; }
h2 { font-size: 1.125rem; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
nav { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0 1.5rem; }
nav a, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0 1rem; border: 1px solid var(--line); border-radius: .75rem; text-decoration: none; }
a { color: var(--accent); overflow-wrap: anywhere; }
summary { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--muted); cursor: pointer; }
summary::before { content: '+'; width: 1.25rem; color: var(--accent); }
[open] > summary::before { content: '−'; }
a:focus-visible, summary:focus-visible, input:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 1rem; }
li, .card { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem 1.5rem; }
.row > div { flex: 1 1 16rem; }
.chip { display: inline-block; margin-left: .375rem; padding: 0 .625rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--muted); font: 500 .8125rem/1.6 system-ui, sans-serif; vertical-align: .125rem; }
.chip.active { border-color: currentColor; color: var(--accent); }
.solid { border: 0; background: var(--fill); color: var(--on-fill); font-weight: 600; }
nav [aria-current] { border-color: currentColor; font-weight: 600; }
.quiet { color: var(--muted); font-size: .875rem; overflow-wrap: anywhere; }
.code { font-size: 2.25rem; font-weight: 700; line-height: 1.4; letter-spacing: .12em; font-variant-numeric: tabular-nums; color: var(--accent); user-select: all; }
.text { white-space: pre-line; color: var(--muted); overflow-wrap: anywhere; }
form { display: grid; gap: 1rem; margin: 0; }
label { display: grid; gap: .25rem; font-size: .875rem; color: var(--muted); }
.choice { grid-template-columns: auto 1fr; align-items: center; gap: .75rem; min-height: 2.75rem; font-size: 1rem; color: var(--fg); }
input { font: inherit; color: var(--fg); background: var(--bg); border: 1px solid var(--edge); border-radius: .75rem; min-height: 2.75rem; padding: 0 .875rem; width: 100%; }
input[type=radio] { min-height: 0; width: 1.25rem; height: 1.25rem; accent-color: var(--fill); }
button { font: inherit; font-weight: 600; cursor: pointer; min-height: 2.75rem; padding: 0 1rem; border: 0; border-radius: .75rem; background: var(--fill); color: var(--on-fill); }
button.plain { background: none; border: 1px solid var(--line); color: var(--accent); font-weight: 400; }
.providers { display: grid; gap: .75rem; margin-top: 1rem; }
.links { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 1rem; margin-top: 1.25rem; }
.links a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.error { color: var(--danger); margin: 0; }
header { margin-bottom: 1.5rem; }
dl { display: grid; grid-template-columns: minmax(7rem, 2fr) 3fr; gap: .25rem 1rem; margin: .5rem 0 0; }
dt { color: var(--muted); overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
`;

const toHashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleSource = toHashSource(style);

/**
 * Returns the security headers of a page, which allow its own style, the given script and forms to the given sources.
 * @param formAction sources its forms may submit to, including those they are redirected to; none by default
 * @param script the text of its only script; none by default
 */
export function pageHeaders(formAction: readonly string[] = ["'none'"], script?: string) {
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(script === undefined ? [] : [`script-src ${toHashSource(script)}`]),
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction.join(' ')}`,
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    vary: 'accept-language',
  };
}

/** Sends a page with its security headers; the other parameters are those of `pageHeaders`. */
export const sendPage = (reply: FastifyReply, page: string, ...options: Parameters<typeof pageHeaders>) =>
  reply
    .headers(pageHeaders(...options))
    .type('text/html; charset=utf-8')
    .send(page);

/**
 * Renders a page.
 * @param title the title as text
 * @param main the content of `main` as HTML
 */
export function renderPage(
  language: Language,
  title: string,
  main: string,
  { narrow = false }: { narrow?: boolean } = {},
): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Escucho</title>
<style>!${style}</style>
</head>
<body>
<main!${narrow ? ' class="narrow"' : ''}>
!${main}
</main>
</body>
</html>
`;
}
