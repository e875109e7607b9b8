import { formatMoney } from '@escucho/contracts';
import { type Connection, getErrorMessage } from '@escucho/database';
import { type Language, type MailTransport, PermanentMailError } from '@escucho/service-kit';
import { html } from 'ghtml';
import { openBillingDatabase } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import type { NotificationEmail } from './policy.ts';
import { type AddressedEmail, notificationEmailRepository } from './repository.ts';

interface Messages {
  subject: Record<NotificationEmail['kind'], string>;
  body: Record<NotificationEmail['kind'], (price: string, until: string) => string>;
  /** The line before the link. */
  link: Record<NotificationEmail['kind'], string>;
}

const messages: Record<Language, Messages> = {
  en: {
    subject: {
      unpaid: 'Your Escucho subscription could not be renewed',
      confirm: 'Please confirm the payment of your Escucho subscription',
      last_try: 'Your Escucho subscription is about to end',
      ended: 'Your Escucho subscription has ended',
      disputed: 'Your bank took a payment back: your Escucho subscription has ended',
      refunded: 'We have given you money back',
      refund_ended: 'We have given your money back: your Escucho subscription has ended',
    },
    body: {
      unpaid: (price, until) =>
        `Your card was not charged the ${price} for your subscription. We will try again, and you can go on listening until ${until}.`,
      confirm: (price, until) =>
        `Your bank wants you to confirm the ${price} for your subscription. Until you do it is not paid; you can go on listening until ${until}, then it ends.`,
      last_try: (price, until) =>
        `We tried for the last time to charge the ${price} for your subscription. You can go on listening until ${until}; then it ends.`,
      ended: (price) => `The ${price} for your subscription could not be charged, so it has ended.`,
      disputed: (price) =>
        `The bank of your card wants back the ${price} that you paid for your subscription, so your subscription has ended and nothing more is charged. If you did not ask your bank for it, please talk to your bank; should it let the payment stand, your subscription opens again.`,
      refunded: (price) =>
        `We have given back ${price} of what you paid for your subscription. Your bank may need a few days to show it.`,
      refund_ended: (price) =>
        `We have given back the ${price} that you paid for your subscription, so it has ended and nothing more is charged. Your bank may need a few days to show it.`,
    },
    link: {
      unpaid: 'See to your card and your plan here:',
      confirm: 'Confirm it, or take another card, here:',
      last_try: 'Take another card here:',
      ended: 'Choose a plan here:',
      disputed: 'Your receipts and the plans are here:',
      refunded: 'Your plan and your receipts are here:',
      refund_ended: 'Your receipts and the plans are here:',
    },
  },
  es: {
    subject: {
      unpaid: 'No se pudo renovar tu suscripción a Escucho',
      confirm: 'Confirma el pago de tu suscripción a Escucho',
      last_try: 'Tu suscripción a Escucho está por terminar',
      ended: 'Tu suscripción a Escucho terminó',
      disputed: 'Tu banco retiró un pago: tu suscripción a Escucho terminó',
      refunded: 'Te devolvimos dinero',
      refund_ended: 'Te devolvimos tu dinero: tu suscripción a Escucho terminó',
    },
    body: {
      unpaid: (price, until) =>
        `No pudimos cobrar ${price} a tu tarjeta por tu suscripción. Lo intentaremos de nuevo, y puedes seguir escuchando hasta el ${until}.`,
      confirm: (price, until) =>
        `Tu banco quiere que confirmes los ${price} de tu suscripción. Hasta entonces no está pagada; puedes seguir escuchando hasta el ${until}, después termina.`,
      last_try: (price, until) =>
        `Intentamos por última vez cobrar ${price} por tu suscripción. Puedes seguir escuchando hasta el ${until}; después termina.`,
      ended: (price) => `No se pudieron cobrar ${price} por tu suscripción, así que terminó.`,
      disputed: (price) =>
        `El banco de tu tarjeta reclama los ${price} que pagaste por tu suscripción, así que tu suscripción terminó y no se cobra nada más. Si no se lo pediste a tu banco, habla con él; si deja el pago como está, tu suscripción se abre de nuevo.`,
      refunded: (price) =>
        `Te devolvimos ${price} de lo que pagaste por tu suscripción. Tu banco puede tardar unos días en mostrarlo.`,
      refund_ended: (price) =>
        `Te devolvimos los ${price} que pagaste por tu suscripción, así que terminó y no se cobra nada más. Tu banco puede tardar unos días en mostrarlo.`,
    },
    link: {
      unpaid: 'Revisa aquí tu tarjeta y tu plan:',
      confirm: 'Confírmalo, o usa otra tarjeta, aquí:',
      last_try: 'Usa otra tarjeta aquí:',
      ended: 'Elige un plan aquí:',
      disputed: 'Tus recibos y los planes están aquí:',
      refunded: 'Tu plan y tus recibos están aquí:',
      refund_ended: 'Tus recibos y los planes están aquí:',
    },
  },
};

const formatDate = (date: Date, language: Language) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);

/** Renders an e-mail in both languages, because the service does not know which one the user reads. */
function renderEmail({ kind, money }: NotificationEmail, until: Date | null, url: string) {
  const languages = ['en', 'es'] as const;
  const paragraphs = languages.map((language) => [
    messages[language].body[kind](formatMoney(money, language), until ? formatDate(until, language) : ''),
    `${messages[language].link[kind]} ${url}`,
  ]);
  const subject = languages.map((language) => messages[language].subject[kind]).join(' · ');
  const sections = paragraphs.map(
    (texts, index) =>
      html`<div lang="${languages[index]}">!${texts.map((text) => html`<p>${text}</p>`)}</div>`,
  );
  return {
    subject,
    text: paragraphs.map((texts) => texts.join('\n\n')).join('\n\n———\n\n'),
    html: html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head><body>!${sections.join('<hr>')}</body></html>`,
  };
}

interface NotificationEmailDeps extends BillingDeps {
  /** Without one, e-mails stay in the database for the outbox page. */
  mailTransport: MailTransport | undefined;
}

/** Creates the service that sends notification e-mails, each at least once. */
export function createNotificationEmailService(deps: NotificationEmailDeps) {
  const { db, mailTransport, managementUrl, report } = deps;

  async function deliver({ id, to, email, until }: AddressedEmail, transport: MailTransport): Promise<void> {
    try {
      if (to !== null) await transport.send({ id, to, ...renderEmail(email, until, managementUrl) });
    } catch (error) {
      if (!(error instanceof PermanentMailError)) throw error;
      report({ email: id, reason: getErrorMessage(error) }, 'notification e-mail was refused');
    }
    await notificationEmailRepository.remove(db, id);
  }

  return {
    /**
     * Sends an e-mail after the earlier ones to the same subscriber, which may wait for another attempt. Throws on a
     * temporary failure, so that the job is retried.
     */
    async send(id: string): Promise<void> {
      if (!mailTransport) return;
      for (const each of await notificationEmailRepository.findUpTo(db, id))
        await deliver(each, mailTransport);
    },
  };
}

interface OutboxOptions {
  connection: Connection;
  managementUrl: string;
}

/** Opens the unsent e-mails for the outbox page, newest first. `close` disconnects from the database. */
export function openEmailOutbox({ connection, managementUrl }: OutboxOptions) {
  const db = openBillingDatabase(connection, { name: 'billing outbox', maxConnections: 1 });
  return {
    async list(address: string | undefined) {
      const emails = await notificationEmailRepository.list(db, address);
      return emails.map(({ email, until, to, createdAt }) => {
        const { subject, text } = renderEmail(email, until, managementUrl);
        return { to: to ?? '', subject, text, code: null, createdAt };
      });
    },
    close: () => db.destroy(),
  };
}
