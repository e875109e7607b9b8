import { escapeHtml } from '@escucho/service-kit';
import type { Letter } from './texts.ts';

// Mail programs read no style sheets for sure: every element carries its own style, and nothing is fetched.
const style = {
  body: "margin:0;padding:24px 12px;background:#f6efe4;color:#241b12;font:16px/1.6 system-ui,-apple-system,'Segoe UI',sans-serif",
  card: 'max-width:480px;margin:0 auto 16px;padding:28px 24px;background:#fffbf4;border:1px solid #e7dccb;border-radius:16px',
  brand: "margin:0 auto 16px;max-width:480px;font:600 22px/1.3 Georgia,'Times New Roman',serif;color:#a43a10",
  line: 'margin:0 0 12px',
  code: 'margin:0 0 16px;font-size:34px;font-weight:700;line-height:1.4;letter-spacing:.14em;color:#a43a10',
  quiet: 'margin:0;font-size:14px;color:#645746',
};

function codeLines(about: Letter['code'], code: string | null): string {
  if (!about || code === null) return '';
  return `<p style="margin:0">${escapeHtml(about.is)}</p>
<p style="${style.code}">${escapeHtml(code)}</p>
<p style="${style.line}">${escapeHtml(about.validity)}</p>
`;
}

function card({ language, opening, code: about, ignore }: Letter, code: string | null): string {
  return `<div lang="${language}" style="${style.card}">
<p style="${style.line}">${escapeHtml(opening)}</p>
${codeLines(about, code)}<p style="${style.quiet}">${escapeHtml(ignore)}</p>
</div>`;
}

/** A mail as a page: a card for each language, the code, if there is one, large enough to read from a telephone on the table. */
export function htmlMail(subject: string, letters: readonly Letter[], code: string | null): string {
  return `<!doctype html>
<html lang="${letters[0]?.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${style.body}">
<p style="${style.brand}">Escucho</p>
${letters.map((letter) => card(letter, code)).join('\n')}
</body>
</html>
`;
}
