import type { Language } from '@escucho/service-kit';
import { html } from 'ghtml';
import type { CodePurpose } from '../database.ts';

/** The text of a mail in one language. */
interface MailText {
  subject: string;
  opening: string;
  code?: { label: string; validity: string };
  ignore: string;
}

/** The text of a mail in every language. */
export type MailTexts = Readonly<Record<Language, MailText>>;

const codeTexts: Record<CodePurpose, MailTexts> = {
  'sign-up': {
    en: {
      subject: 'Confirm your Escucho account',
      opening: 'Welcome to Escucho!',
      code: { label: 'Your confirmation code is', validity: 'It works once, within the next 24 hours.' },
      ignore:
        'If you did not sign up, you can ignore this message: without the code nobody can use your address.',
    },
    es: {
      subject: 'Confirma tu cuenta de Escucho',
      opening: '¡Te damos la bienvenida a Escucho!',
      code: {
        label: 'Tu código de confirmación es',
        validity: 'Sirve una sola vez, durante las próximas 24 horas.',
      },
      ignore:
        'Si no te registraste, puedes ignorar este mensaje: sin el código nadie puede usar tu dirección.',
    },
  },
  reset: {
    en: {
      subject: 'Recover your Escucho account',
      opening: 'You asked for a new password for your Escucho account.',
      code: { label: 'Your code is', validity: 'It works once, within the next 10 minutes.' },
      ignore: 'If it was not you, you can ignore this message: your password stays as it is.',
    },
    es: {
      subject: 'Recupera tu cuenta de Escucho',
      opening: 'Pediste una contraseña nueva para tu cuenta de Escucho.',
      code: { label: 'Tu código es', validity: 'Sirve una sola vez, durante los próximos 10 minutos.' },
      ignore: 'Si no fuiste tú, puedes ignorar este mensaje: tu contraseña no cambia.',
    },
  },
  'sign-in': {
    en: {
      subject: 'Your Escucho sign-in code',
      opening: 'Use this code to sign in to Escucho.',
      code: { label: 'Your code is', validity: 'It works once, within the next 15 minutes.' },
      ignore: 'If it was not you, you can ignore this message: without the code nobody can sign in.',
    },
    es: {
      subject: 'Tu código para iniciar sesión en Escucho',
      opening: 'Usa este código para iniciar sesión en Escucho.',
      code: { label: 'Tu código es', validity: 'Sirve una sola vez, durante los próximos 15 minutos.' },
      ignore: 'Si no fuiste tú, puedes ignorar este mensaje: sin el código nadie puede iniciar sesión.',
    },
  },
  // Sent after a correct password only.
  'second-factor': {
    en: {
      subject: 'Your Escucho security code',
      opening: 'Your password was used to sign in to Escucho. Enter this code to continue.',
      code: { label: 'Your code is', validity: 'It works once, within the next 15 minutes.' },
      ignore:
        'If it was not you, somebody knows your password: give the code to nobody, and set a new password with “Forgot your password?”.',
    },
    es: {
      subject: 'Tu código de seguridad de Escucho',
      opening: 'Se usó tu contraseña para iniciar sesión en Escucho. Escribe este código para continuar.',
      code: { label: 'Tu código es', validity: 'Sirve una sola vez, durante los próximos 15 minutos.' },
      ignore:
        'Si no fuiste tú, alguien sabe tu contraseña: no le des el código a nadie y elige otra contraseña con «¿Olvidaste tu contraseña?».',
    },
  },
  email: {
    en: {
      subject: 'Confirm your new email address',
      opening: 'This address was entered for an Escucho account.',
      code: { label: 'Your code is', validity: 'It works once, within the next 24 hours.' },
      ignore: 'If you did not ask for this, you can ignore this message: without the code nothing changes.',
    },
    es: {
      subject: 'Confirma tu nuevo correo electrónico',
      opening: 'Esta dirección se indicó para una cuenta de Escucho.',
      code: { label: 'Tu código es', validity: 'Sirve una sola vez, durante las próximas 24 horas.' },
      ignore: 'Si no lo pediste, puedes ignorar este mensaje: sin el código no cambia nada.',
    },
  },
};

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
export function createMail(texts: MailTexts, code: string | null, language: Language | undefined) {
  const selected = language ? [language] : (['en', 'es'] as const);
  const subject = selected.map((each) => texts[each].subject).join(' · ');
  const cards = selected.map((each) => renderCard(each, texts[each], code));
  return {
    subject,
    text: selected.map((each) => renderText(texts[each], code)).join('\n\n———\n\n'),
    html: renderHtml(subject, language ?? 'en', cards),
  };
}

/** Creates the email with a verification code; in both languages where the recipient's is unknown. */
export const createCodeMail = (purpose: CodePurpose, code: string, language: Language | undefined) =>
  createMail(codeTexts[purpose], code, language);
