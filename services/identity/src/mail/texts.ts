import type { Language } from '@escucho/service-kit';
import type { CodePurpose } from '../database.ts';
import { htmlMail } from './template.ts';

/** What a mail says, around its code where it has one, in one language. */
export interface Letter {
  language: Language;
  subject: string;
  opening: string;
  code?: { is: string; validity: string };
  ignore: string;
}

const letters: Record<CodePurpose, readonly [en: Letter, es: Letter]> = {
  'sign-up': [
    {
      language: 'en',
      subject: 'Confirm your Escucho account',
      opening: 'Welcome to Escucho!',
      code: { is: 'Your confirmation code is', validity: 'It works once, within the next 24 hours.' },
      ignore:
        'If you did not sign up, you can ignore this message: without the code nobody can use your address.',
    },
    {
      language: 'es',
      subject: 'Confirma tu cuenta de Escucho',
      opening: '¡Te damos la bienvenida a Escucho!',
      code: {
        is: 'Tu código de confirmación es',
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
      code: { is: 'Your code is', validity: 'It works once, within the next hour.' },
      ignore: 'If it was not you, you can ignore this message: your password stays as it is.',
    },
    {
      language: 'es',
      subject: 'Recupera tu cuenta de Escucho',
      opening: 'Pediste una contraseña nueva para tu cuenta de Escucho.',
      code: { is: 'Tu código es', validity: 'Sirve una sola vez, durante la próxima hora.' },
      ignore: 'Si no fuiste tú, puedes ignorar este mensaje: tu contraseña no cambia.',
    },
  ],
  email: [
    {
      language: 'en',
      subject: 'Confirm your new email address',
      opening: 'This address was entered for an Escucho account.',
      code: { is: 'Your code is', validity: 'It works once, within the next 24 hours.' },
      ignore: 'If you did not ask for this, you can ignore this message: without the code nothing changes.',
    },
    {
      language: 'es',
      subject: 'Confirma tu nuevo correo electrónico',
      opening: 'Esta dirección se indicó para una cuenta de Escucho.',
      code: { is: 'Tu código es', validity: 'Sirve una sola vez, durante las próximas 24 horas.' },
      ignore: 'Si no lo pediste, puedes ignorar este mensaje: sin el código no cambia nada.',
    },
  ],
};

/** News about an account, for which nobody needs to do anything. */
export type Notice = 'email-changed';

const notices: Record<Notice, readonly [en: Letter, es: Letter]> = {
  'email-changed': [
    {
      language: 'en',
      subject: 'Your Escucho account has a new email address',
      opening:
        'The email address of your Escucho account was changed. From now on you sign in with the new one.',
      ignore: 'If it was not you, reply to this message at once.',
    },
    {
      language: 'es',
      subject: 'Tu cuenta de Escucho tiene otro correo electrónico',
      opening:
        'Se cambió el correo electrónico de tu cuenta de Escucho. Desde ahora inicias sesión con el nuevo.',
      ignore: 'Si no fuiste tú, responde a este mensaje cuanto antes.',
    },
  ],
};

const plain = ({ opening, code: about, ignore }: Letter, code: string | null) =>
  [opening, ...(about && code !== null ? [`${about.is} ${code}`, about.validity] : []), ignore].join('\n\n');

/** In the reader's language, or in both where that is not known. */
function mailOf(both: readonly Letter[], code: string | null, language: Language | undefined) {
  const chosen = language ? both.filter((letter) => letter.language === language) : both;
  const subject = chosen.map((letter) => letter.subject).join(' · ');
  return {
    subject,
    text: chosen.map((letter) => plain(letter, code)).join('\n\n———\n\n'),
    html: htmlMail(subject, chosen, code),
  };
}

/** The mail that carries a code. */
export const codeMail = (purpose: CodePurpose, code: string, language: Language | undefined) =>
  mailOf(letters[purpose], code, language);

/** The mail that tells news. */
export const noticeMail = (notice: Notice, language: Language | undefined) =>
  mailOf(notices[notice], null, language);
