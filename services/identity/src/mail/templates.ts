import type { Language } from '@escucho/service-kit';
import { html } from 'ghtml';
import type { Caller } from '../caller.ts';
import type { Database } from '../database.ts';
import type { Mailer } from './repository.ts';
import { type MailName, type MailText, mailTexts, type Notification } from './texts.ts';

// Mail clients may ignore style sheets, so every element has its own style; nothing is loaded from the network.
const styles = {
  body: "margin:0;padding:24px 12px;background:#f6efe4;color:#241b12;font:16px/1.6 system-ui,-apple-system,'Segoe UI',sans-serif",
  card: 'max-width:480px;margin:0 auto 16px;padding:28px 24px;background:#fffbf4;border:1px solid #e7dccb;border-radius:16px',
  brand: "margin:0 auto 16px;max-width:480px;font:600 22px/1.3 Georgia,'Times New Roman',serif;color:#a43a10",
  line: 'margin:0 0 12px',
  label: 'margin:0',
  code: 'margin:0 0 16px;font-size:34px;font-weight:700;line-height:1.4;letter-spacing:.14em;color:#a43a10',
  quiet: 'margin:0;font-size:14px;color:#645746',
};

function renderCode(text: MailText['code'], code: string | null): string {
  if (!text || code === null) return '';
  return html`<p style="!${styles.label}">${text.label}</p>
<p style="!${styles.code}">${code}</p>
<p style="!${styles.line}">${text.validity}</p>
`;
}

function renderCard(
  language: Language,
  { opening, code: codeText, ignore }: MailText,
  code: string | null,
): string {
  return html`<div lang="${language}" style="!${styles.card}">
<p style="!${styles.line}">${opening}</p>
!${renderCode(codeText, code)}<p style="!${styles.quiet}">${ignore}</p>
</div>
`;
}

function renderHtml(subject: string, language: Language, cards: readonly string[]): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body style="!${styles.body}">
<p style="!${styles.brand}">Escucho</p>
!${cards}</body>
</html>
`;
}

function renderText({ opening, code: codeText, ignore }: MailText, code: string | null): string {
  const codeLines = codeText && code !== null ? [`${codeText.label} ${code}`, codeText.validity] : [];
  return [opening, ...codeLines, ignore].join('\n\n');
}

/** Creates a mail in a language, or in all languages where the recipient's is unknown. */
export function createMail(name: MailName, code: string | null, language: Language | undefined) {
  const texts: Record<Language, MailText> = mailTexts[name];
  const selected = language ? [language] : (['en', 'es'] as const);
  const subject = selected.map((each) => texts[each].subject).join(' · ');
  const cards = selected.map((each) => renderCard(each, texts[each], code));
  return {
    subject,
    text: selected.map((each) => renderText(texts[each], code)).join('\n\n———\n\n'),
    html: renderHtml(subject, language ?? 'en', cards),
    code,
  };
}

const NOTIFICATION_LIFETIME_MS = 3 * 24 * 3_600_000;

/**
 * Creates a function that notifies the owner of an account by mail, in the transaction of the change. Users of other
 * providers may have no address; nobody is notified then.
 */
export function createNotifier({ mailer, clock }: { mailer: Mailer; clock: () => Date }) {
  return async function notifyOwner(
    tx: Database,
    { id, email }: { id: string; email: string | null },
    notification: Notification,
    { language }: Pick<Caller, 'language'>,
  ): Promise<void> {
    if (email === null) return;
    const createdAt = clock();
    const mail = {
      accountId: id,
      to: email,
      ...createMail(notification, null, language),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + NOTIFICATION_LIFETIME_MS),
    };
    await mailer.enqueue(tx, mail);
  };
}

export type Notifier = ReturnType<typeof createNotifier>;
