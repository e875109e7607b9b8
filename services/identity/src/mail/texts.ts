import type { Language } from '@escucho/service-kit';
import type { CodePurpose } from '../database.ts';
import { htmlMail } from './template.ts';

/** What a mail says around its code, in one language. */
export interface Letter {
  language: Language;
  subject: string;
  opening: string;
  codeIs: string;
  validity: string;
  ignore: string;
}

const letters: Record<CodePurpose, readonly [en: Letter, es: Letter]> = {
  'sign-up': [
    {
      language: 'en',
      subject: 'Confirm your Escucho account',
      opening: 'Welcome to Escucho!',
      codeIs: 'Your confirmation code is',
      validity: 'It works once, within the next 24 hours.',
      ignore:
        'If you did not sign up, you can ignore this message: without the code nobody can use your address.',
    },
    {
      language: 'es',
      subject: 'Confirma tu cuenta de Escucho',
      opening: '¡Te damos la bienvenida a Escucho!',
      codeIs: 'Tu código de confirmación es',
      validity: 'Sirve una sola vez, durante las próximas 24 horas.',
      ignore:
        'Si no te has registrado, puedes ignorar este mensaje: sin el código nadie puede usar tu dirección.',
    },
  ],
  reset: [
    {
      language: 'en',
      subject: 'Recover your Escucho account',
      opening: 'You asked for a new password for your Escucho account.',
      codeIs: 'Your code is',
      validity: 'It works once, within the next hour.',
      ignore: 'If it was not you, you can ignore this message: your password stays as it is.',
    },
    {
      language: 'es',
      subject: 'Recupera tu cuenta de Escucho',
      opening: 'Has pedido una contraseña nueva para tu cuenta de Escucho.',
      codeIs: 'Tu código es',
      validity: 'Sirve una sola vez, durante la próxima hora.',
      ignore: 'Si no has sido tú, puedes ignorar este mensaje: tu contraseña no cambia.',
    },
  ],
  email: [
    {
      language: 'en',
      subject: 'Confirm your new e-mail address',
      opening: 'This address is to be the one of an Escucho account.',
      codeIs: 'Your code is',
      validity: 'It works once, within the next 24 hours.',
      ignore: 'If you did not ask for this, you can ignore this message: without the code nothing changes.',
    },
    {
      language: 'es',
      subject: 'Confirma tu nuevo correo electrónico',
      opening: 'Esta dirección va a ser la de una cuenta de Escucho.',
      codeIs: 'Tu código es',
      validity: 'Sirve una sola vez, durante las próximas 24 horas.',
      ignore: 'Si no lo has pedido, puedes ignorar este mensaje: sin el código no cambia nada.',
    },
  ],
};

const plain = ({ opening, codeIs, validity, ignore }: Letter, code: string) =>
  `${opening}\n\n${codeIs} ${code}\n\n${validity}\n\n${ignore}`;

/** The mail that carries a code, in the reader's language, or in both where that is not known. */
export function codeMail(purpose: CodePurpose, code: string, language: Language | undefined) {
  const both = letters[purpose];
  const chosen = language ? both.filter((letter) => letter.language === language) : both;
  const subject = chosen.map((letter) => letter.subject).join(' · ');
  return {
    subject,
    text: chosen.map((letter) => plain(letter, code)).join('\n\n———\n\n'),
    html: htmlMail(subject, chosen, code),
  };
}
