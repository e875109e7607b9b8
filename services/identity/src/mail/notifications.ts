import type { Language } from '@escucho/service-kit';
import type { Caller } from '../caller.ts';
import type { Database } from '../database.ts';
import type { Mailer } from './repository.ts';
import { createMail, type MailTexts } from './templates.ts';

/** The mails that notify the owner of an account, without a code. */
const notificationTexts = {
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
} as const satisfies Record<string, MailTexts>;

export type Notification = keyof typeof notificationTexts;

/** Creates a mail that notifies the owner of an account. */
export const createNotificationMail = (notification: Notification, language: Language | undefined) =>
  createMail(notificationTexts[notification], null, language);

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
      ...createNotificationMail(notification, language),
      code: null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + NOTIFICATION_LIFETIME_MS),
    };
    await mailer.enqueue(tx, mail);
  };
}

export type Notifier = ReturnType<typeof createNotifier>;
