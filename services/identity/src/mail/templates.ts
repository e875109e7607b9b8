import type { Language } from '@escucho/service-kit';
import { html } from 'ghtml';
import type { CodePurpose } from '../database.ts';

/** The text of a mail in one language. */
interface MailText {
  language: Language;
  subject: string;
  opening: string;
  code?: { label: string; validity: string };
  ignore: string;
}

const codeTexts: Record<CodePurpose, readonly MailText[]> = {
  'sign-up': [
    {
      language: 'en',
      subject: 'Confirm your Escucho account',
      opening: 'Welcome to Escucho!',
      code: { label: 'Your confirmation code is', validity: 'It works once, within the next 24 hours.' },
      ignore:
        'If you did not sign up, you can ignore this message: without the code nobody can use your address.',
    },
    {
      language: 'es',
      subject: 'Confirma tu cuenta de Escucho',
      opening: '¡Te damos la bienvenida a Escucho!',
      code: {
        label: 'Tu código de confirmación es',
        validity: 'Sirve una sola vez, durante las próximas 24 horas.',
      },
      ignore:
        'Si no te registraste, puedes ignorar este mensaje: sin el código nadie puede usar tu dirección.',
    },
  ],
  reset: [
    {
      language: 'en',
      subject: 'Recover your Escucho account',
      opening: 'You asked for a new password for your Escucho account.',
      code: { label: 'Your code is', validity: 'It works once, within the next 10 minutes.' },
      ignore: 'If it was not you, you can ignore this message: your password stays as it is.',
    },
    {
      language: 'es',
      subject: 'Recupera tu cuenta de Escucho',
      opening: 'Pediste una contraseña nueva para tu cuenta de Escucho.',
      code: { label: 'Tu código es', validity: 'Sirve una sola vez, durante los próximos 10 minutos.' },
      ignore: 'Si no fuiste tú, puedes ignorar este mensaje: tu contraseña no cambia.',
    },
  ],
  'sign-in': [
    {
      language: 'en',
      subject: 'Your Escucho sign-in code',
      opening: 'Use this code to sign in to Escucho.',
      code: { label: 'Your code is', validity: 'It works once, within the next 15 minutes.' },
      ignore: 'If it was not you, you can ignore this message: without the code nobody can sign in.',
    },
    {
      language: 'es',
      subject: 'Tu código para iniciar sesión en Escucho',
      opening: 'Usa este código para iniciar sesión en Escucho.',
      code: { label: 'Tu código es', validity: 'Sirve una sola vez, durante los próximos 15 minutos.' },
      ignore: 'Si no fuiste tú, puedes ignorar este mensaje: sin el código nadie puede iniciar sesión.',
    },
  ],
  email: [
    {
      language: 'en',
      subject: 'Confirm your new email address',
      opening: 'This address was entered for an Escucho account.',
      code: { label: 'Your code is', validity: 'It works once, within the next 24 hours.' },
      ignore: 'If you did not ask for this, you can ignore this message: without the code nothing changes.',
    },
    {
      language: 'es',
      subject: 'Confirma tu nuevo correo electrónico',
      opening: 'Esta dirección se indicó para una cuenta de Escucho.',
      code: { label: 'Tu código es', validity: 'Sirve una sola vez, durante las próximas 24 horas.' },
      ignore: 'Si no lo pediste, puedes ignorar este mensaje: sin el código no cambia nada.',
    },
  ],
};

/** The mails that notify the owner of an account, without a code. */
const notificationTexts = {
  'recovery-code-used': [
    {
      language: 'en',
      subject: 'A recovery code of your Escucho account was used',
      opening:
        'Somebody signed in to your Escucho account with a recovery code. That code does not work again.',
      ignore:
        'If it was not you, change your password at once and create new recovery codes in your account settings.',
    },
    {
      language: 'es',
      subject: 'Se usó un código de recuperación de tu cuenta de Escucho',
      opening:
        'Alguien inició sesión en tu cuenta de Escucho con un código de recuperación. Ese código ya no sirve.',
      ignore:
        'Si no fuiste tú, cambia tu contraseña cuanto antes y crea códigos de recuperación nuevos en los ajustes de tu cuenta.',
    },
  ],
  'email-changed': [
    {
      language: 'en',
      subject: 'Your Escucho account has a new email address',
      opening:
        'The email address of your Escucho account was changed. From now on you sign in with the new one. All other devices were signed out.',
      ignore: 'If it was not you, reply to this message at once.',
    },
    {
      language: 'es',
      subject: 'Tu cuenta de Escucho tiene otro correo electrónico',
      opening:
        'Se cambió el correo electrónico de tu cuenta de Escucho. Desde ahora inicias sesión con el nuevo. Se cerró la sesión en los demás dispositivos.',
      ignore: 'Si no fuiste tú, responde a este mensaje cuanto antes.',
    },
  ],
  'account-exists': [
    {
      language: 'en',
      subject: 'You already have an Escucho account',
      opening:
        'Somebody entered this address to sign up for Escucho, but it already has an account. Sign in with your password, or choose “Forgot your password?”.',
      ignore: 'If it was not you, you can ignore this message: nothing has changed.',
    },
    {
      language: 'es',
      subject: 'Ya tienes una cuenta de Escucho',
      opening:
        'Alguien indicó esta dirección para registrarse en Escucho, pero ya tiene una cuenta. Inicia sesión con tu contraseña o elige «¿Olvidaste tu contraseña?».',
      ignore: 'Si no fuiste tú, puedes ignorar este mensaje: no ha cambiado nada.',
    },
  ],
  'password-changed': [
    {
      language: 'en',
      subject: 'Your Escucho account has a new password',
      opening: 'The password of your Escucho account was changed. All other devices were signed out.',
      ignore:
        'If it was not you, set another password with “Forgot your password?” and reply to this message.',
    },
    {
      language: 'es',
      subject: 'Tu cuenta de Escucho tiene otra contraseña',
      opening:
        'Se cambió la contraseña de tu cuenta de Escucho. Se cerró la sesión en los demás dispositivos.',
      ignore:
        'Si no fuiste tú, elige otra contraseña con «¿Olvidaste tu contraseña?» y responde a este mensaje.',
    },
  ],
} as const satisfies Record<string, readonly MailText[]>;

export type Notification = keyof typeof notificationTexts;

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

function renderCard({ language, opening, code: codeText, ignore }: MailText, code: string | null): string {
  return html`<div lang="${language}" style="!${styles.card}">
<p style="!${styles.line}">${opening}</p>
!${renderCode(codeText, code)}<p style="!${styles.quiet}">${ignore}</p>
</div>
`;
}

function renderHtml(subject: string, texts: readonly MailText[], code: string | null): string {
  return html`<!doctype html>
<html lang="${texts[0]?.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body style="!${styles.body}">
<p style="!${styles.brand}">Escucho</p>
!${texts.map((text) => renderCard(text, code))}</body>
</html>
`;
}

function renderText({ opening, code: codeText, ignore }: MailText, code: string | null): string {
  const codeLines = codeText && code !== null ? [`${codeText.label} ${code}`, codeText.validity] : [];
  return [opening, ...codeLines, ignore].join('\n\n');
}

/** Creates a mail in a language, or in all languages where the recipient's is unknown. */
function createMail(texts: readonly MailText[], code: string | null, language: Language | undefined) {
  const selected = language ? texts.filter((text) => text.language === language) : texts;
  const subject = selected.map((text) => text.subject).join(' · ');
  return {
    subject,
    text: selected.map((text) => renderText(text, code)).join('\n\n———\n\n'),
    html: renderHtml(subject, selected, code),
  };
}

export const createCodeMail = (purpose: CodePurpose, code: string, language: Language | undefined) =>
  createMail(codeTexts[purpose], code, language);

/** Creates a mail that notifies the owner of an account. */
export const createNotificationMail = (notification: Notification, language: Language | undefined) =>
  createMail(notificationTexts[notification], null, language);
