import type { Language } from '@escucho/service-kit';
import type { CodePurpose } from '../database.ts';

interface Text {
  subject: string;
  text: string;
}

const texts: Record<CodePurpose, Record<Language, (code: string) => Text>> = {
  'sign-up': {
    en: (code) => ({
      subject: 'Confirm your Escucho account',
      text: `Welcome to Escucho!

Your confirmation code is ${code}

It works once, within the next 24 hours.

If you did not sign up, you can ignore this message: without the code nobody can use your address.`,
    }),
    es: (code) => ({
      subject: 'Confirma tu cuenta de Escucho',
      text: `¡Te damos la bienvenida a Escucho!

Tu código de confirmación es ${code}

Sirve una sola vez, durante las próximas 24 horas.

Si no te has registrado, puedes ignorar este mensaje: sin el código nadie puede usar tu dirección.`,
    }),
  },
  reset: {
    en: (code) => ({
      subject: 'Recover your Escucho account',
      text: `You asked for a new password for your Escucho account.

Your code is ${code}

It works once, within the next hour.

If it was not you, you can ignore this message: your password stays as it is.`,
    }),
    es: (code) => ({
      subject: 'Recupera tu cuenta de Escucho',
      text: `Has pedido una contraseña nueva para tu cuenta de Escucho.

Tu código es ${code}

Sirve una sola vez, durante la próxima hora.

Si no has sido tú, puedes ignorar este mensaje: tu contraseña no cambia.`,
    }),
  },
  email: {
    en: (code) => ({
      subject: 'Confirm your new e-mail address',
      text: `This address is to be the one of an Escucho account.

Your code is ${code}

It works once, within the next 24 hours.

If you did not ask for this, you can ignore this message: without the code nothing changes.`,
    }),
    es: (code) => ({
      subject: 'Confirma tu nuevo correo electrónico',
      text: `Esta dirección va a ser la de una cuenta de Escucho.

Tu código es ${code}

Sirve una sola vez, durante las próximas 24 horas.

Si no lo has pedido, puedes ignorar este mensaje: sin el código no cambia nada.`,
    }),
  },
};

/** The mail that carries a code, in the reader's language, or in both where that is not known. */
export function codeMail(purpose: CodePurpose, code: string, language: Language | undefined): Text {
  if (language) return texts[purpose][language](code);
  const [en, es] = [texts[purpose].en(code), texts[purpose].es(code)];
  return { subject: `${en.subject} · ${es.subject}`, text: `${en.text}\n\n———\n\n${es.text}` };
}
