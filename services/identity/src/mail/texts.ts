import type { Language } from '@escucho/service-kit';
import type { CodePurpose } from '../database.ts';

/** The text of a mail in one language. */
export interface MailText {
  subject: string;
  opening: string;
  code?: { label: string; validity: string };
  ignore: string;
}

/** The texts of the mails: those with a code by its purpose, and those that notify the owner of an account. */
export const mailTexts = {
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

  'second-factor-added': {
    en: {
      subject: 'Your Escucho account has a new second factor',
      opening: 'A second factor was set up for your Escucho account. From now on, signing in asks for it.',
      ignore:
        'If it was not you, change your password at once and turn the second factor off in your account settings.',
    },
    es: {
      subject: 'Tu cuenta de Escucho tiene un nuevo segundo factor',
      opening:
        'Se configuró un segundo factor para tu cuenta de Escucho. Desde ahora se pide al iniciar sesión.',
      ignore:
        'Si no fuiste tú, cambia tu contraseña cuanto antes y desactiva el segundo factor en los ajustes de tu cuenta.',
    },
  },
  'second-factor-removed': {
    en: {
      subject: 'A second factor of your Escucho account was removed',
      opening:
        'A second factor of your Escucho account was turned off. Signing in does not ask for it any more.',
      ignore:
        'If it was not you, change your password at once and set the second factor up again in your account settings.',
    },
    es: {
      subject: 'Se quitó un segundo factor de tu cuenta de Escucho',
      opening: 'Se desactivó un segundo factor de tu cuenta de Escucho. Ya no se pide al iniciar sesión.',
      ignore:
        'Si no fuiste tú, cambia tu contraseña cuanto antes y vuelve a configurar el segundo factor en los ajustes de tu cuenta.',
    },
  },
  'passkey-added': {
    en: {
      subject: 'Your Escucho account has a new passkey',
      opening: 'A passkey was added to your Escucho account. It signs in without your password.',
      ignore: 'If it was not you, remove it in your account settings and change your password at once.',
    },
    es: {
      subject: 'Tu cuenta de Escucho tiene una llave de acceso nueva',
      opening:
        'Se agregó una llave de acceso a tu cuenta de Escucho. Con ella se inicia sesión sin contraseña.',
      ignore: 'Si no fuiste tú, quítala en los ajustes de tu cuenta y cambia tu contraseña cuanto antes.',
    },
  },
  'passkey-removed': {
    en: {
      subject: 'A passkey of your Escucho account was removed',
      opening: 'A passkey of your Escucho account was removed. It does not sign in any more.',
      ignore:
        'If it was not you, change your password at once and look at the recent activity in your account settings.',
    },
    es: {
      subject: 'Se quitó una llave de acceso de tu cuenta de Escucho',
      opening: 'Se quitó una llave de acceso de tu cuenta de Escucho. Ya no sirve para iniciar sesión.',
      ignore:
        'Si no fuiste tú, cambia tu contraseña cuanto antes y revisa la actividad reciente en los ajustes de tu cuenta.',
    },
  },
  'recovery-codes-replaced': {
    en: {
      subject: 'Your Escucho account has new recovery codes',
      opening: 'New recovery codes were created for your Escucho account. Earlier ones do not work any more.',
      ignore:
        'If it was not you, change your password at once and create other recovery codes in your account settings.',
    },
    es: {
      subject: 'Tu cuenta de Escucho tiene códigos de recuperación nuevos',
      opening:
        'Se crearon códigos de recuperación nuevos para tu cuenta de Escucho. Los anteriores ya no sirven.',
      ignore:
        'Si no fuiste tú, cambia tu contraseña cuanto antes y crea otros códigos de recuperación en los ajustes de tu cuenta.',
    },
  },
  'recovery-code-used': {
    en: {
      subject: 'A recovery code of your Escucho account was used',
      opening:
        'Somebody signed in to your Escucho account with a recovery code. That code does not work again.',
      ignore:
        'If it was not you, change your password at once and create new recovery codes in your account settings.',
    },
    es: {
      subject: 'Se usó un código de recuperación de tu cuenta de Escucho',
      opening:
        'Alguien inició sesión en tu cuenta de Escucho con un código de recuperación. Ese código ya no sirve.',
      ignore:
        'Si no fuiste tú, cambia tu contraseña cuanto antes y crea códigos de recuperación nuevos en los ajustes de tu cuenta.',
    },
  },
  'code-reused': {
    en: {
      subject: 'A used code was sent again for your Escucho account',
      opening:
        'Somebody who knows your password tried to sign in with a code that had been used. The code was refused.',
      ignore:
        'If you entered the same code twice, you can ignore this message. If it was not you, change your password at once.',
    },
    es: {
      subject: 'Se envió otra vez un código ya usado de tu cuenta de Escucho',
      opening:
        'Alguien que conoce tu contraseña intentó iniciar sesión con un código que ya se había usado. El código se rechazó.',
      ignore:
        'Si escribiste el mismo código dos veces, puedes ignorar este mensaje. Si no fuiste tú, cambia tu contraseña cuanto antes.',
    },
  },
  'email-changed': {
    en: {
      subject: 'Your Escucho account has a new email address',
      opening:
        'The email address of your Escucho account was changed. From now on you sign in with the new one. All other devices were signed out.',
      ignore: 'If it was not you, reply to this message at once.',
    },
    es: {
      subject: 'Tu cuenta de Escucho tiene otro correo electrónico',
      opening:
        'Se cambió el correo electrónico de tu cuenta de Escucho. Desde ahora inicias sesión con el nuevo. Se cerró la sesión en los demás dispositivos.',
      ignore: 'Si no fuiste tú, responde a este mensaje cuanto antes.',
    },
  },
  'account-exists': {
    en: {
      subject: 'You already have an Escucho account',
      opening:
        'Somebody entered this address for a new or another Escucho account, but it already has one. Sign in with your password, or choose “Forgot your password?”.',
      ignore: 'If it was not you, you can ignore this message: nothing has changed.',
    },
    es: {
      subject: 'Ya tienes una cuenta de Escucho',
      opening:
        'Alguien indicó esta dirección para una cuenta nueva u otra cuenta de Escucho, pero ya tiene una. Inicia sesión con tu contraseña o elige «¿Olvidaste tu contraseña?».',
      ignore: 'Si no fuiste tú, puedes ignorar este mensaje: no ha cambiado nada.',
    },
  },
  'password-changed': {
    en: {
      subject: 'Your Escucho account has a new password',
      opening: 'The password of your Escucho account was changed. All other devices were signed out.',
      ignore:
        'If it was not you, set another password with “Forgot your password?” and reply to this message.',
    },
    es: {
      subject: 'Tu cuenta de Escucho tiene otra contraseña',
      opening:
        'Se cambió la contraseña de tu cuenta de Escucho. Se cerró la sesión en los demás dispositivos.',
      ignore:
        'Si no fuiste tú, elige otra contraseña con «¿Olvidaste tu contraseña?» y responde a este mensaje.',
    },
  },
} as const satisfies Record<string, Record<Language, MailText>>;

export type MailName = keyof typeof mailTexts;
/** A mail without a code. */
export type Notification = Exclude<MailName, CodePurpose>;
