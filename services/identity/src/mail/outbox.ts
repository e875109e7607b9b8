import { AppError } from '@escucho/contracts';
import type { Connection } from '@escucho/database';
import { type Language, negotiateLanguage, renderPage, sendPage } from '@escucho/service-kit';
import type { FastifyPluginAsync } from 'fastify';
import { html } from 'ghtml';
import * as z from 'zod/mini';
import { createSecrets } from '../crypto.ts';
import { openIdentityDatabase } from '../database.ts';
import { listMail, type Mail } from './repository.ts';

const messages = {
  en: {
    title: 'Outbox',
    description: 'Mail this installation has written. Nothing leaves this machine.',
    empty: 'No mail yet. When somebody signs up, their code appears here.',
    emptyForAddress: 'No mail for this address yet.',
    code: 'Code',
    message: 'Message',
    to: 'To',
    refresh: 'Refresh',
    showAll: 'Show all',
  },
  es: {
    title: 'Bandeja de salida',
    description: 'El correo que ha escrito esta instalación. Nada sale de esta máquina.',
    empty: 'Todavía no hay correo. Cuando alguien se registre, su código aparecerá aquí.',
    emptyForAddress: 'Todavía no hay correo para esta dirección.',
    code: 'Código',
    message: 'Mensaje',
    to: 'Para',
    refresh: 'Actualizar',
    showAll: 'Mostrar todo',
  },
} as const;

const querySchema = z.object({
  to: z.optional(z.string().check(z.maxLength(320), z.regex(/^[^\p{Cc}]*$/u))),
});

/** Reads the address to filter by. Throws `invalid_request` where it is not one line of text. */
function parseAddress(query: unknown): string | undefined {
  const result = querySchema.safeParse(query);
  if (result.success) return result.data.to;
  throw new AppError('invalid_request', {
    fields: [{ path: 'query.to', code: 'field_invalid' }],
  });
}

interface OutboxOptions {
  connection: Connection;
  /** The secret of the identity provider, with which mail is encrypted. */
  secret: string;
  poolId: string;
  /** Returns the mail of other services, newest first, limited to one address where it is given. */
  others?: (to: string | undefined) => Promise<Mail[]>;
}

/**
 * The outbox of installations without a mail server (IDP-04): a page for people, and `/messages` for programs. It shows
 * every code without authentication, so it is for development only.
 */
export const outbox: FastifyPluginAsync<OutboxOptions> = async (app, options) => {
  const { connection, secret, poolId, others } = options;
  const secrets = createSecrets(secret, poolId);
  const db = openIdentityDatabase(connection, 'escucho outbox', 2);
  app.addHook('onClose', () => db.destroy());
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  async function listAllMail(address: string | undefined): Promise<Mail[]> {
    const mails = await Promise.all([listMail(db, secrets, address), others?.(address) ?? []]);
    return mails.flat().toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  }

  app.get('/', async (request, reply) => {
    const address = parseAddress(request.query);
    const language = negotiateLanguage(request.headers['accept-language']);
    const page = renderOutboxPage(language, await listAllMail(address), address);
    return sendPage(reply, page);
  });

  app.get('/messages', async (request) => {
    const mails = await listAllMail(parseAddress(request.query));
    return mails.map((mail) => ({ ...mail, createdAt: mail.createdAt.toISOString() }));
  });
};

function renderMail({ to, subject, text, code, createdAt }: Mail, language: Language): string {
  const { code: codeLabel, to: toLabel, message } = messages[language];
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  return html`<li>
<h2>${subject}</h2>
<p class="quiet">${toLabel} <a href="?to=${encodeURIComponent(to)}">${to}</a> · <time datetime="${createdAt.toISOString()}">${format.format(createdAt)}</time></p>
!${code === null ? '' : html`<p><span class="quiet">${codeLabel}</span><br><strong class="code">${code}</strong></p>`}
<details><summary>${message}</summary><div class="text">${text}</div></details>
</li>
`;
}

/**
 * Renders the outbox page.
 * @param address the address that `mails` are limited to, if any
 */
export function renderOutboxPage(
  language: Language,
  mails: readonly Mail[],
  address: string | undefined,
): string {
  const text = messages[language];
  const list = html`<ol>!${mails.map((mail) => renderMail(mail, language))}</ol>`;
  const empty = html`<p>${address === undefined ? text.empty : text.emptyForAddress}</p>`;
  const main = html`<h1>${text.title}</h1>
<p class="quiet">${text.description}</p>
<nav><a href="">${text.refresh}</a>!${address === undefined ? '' : html`<a href="?">${text.showAll}</a>`}</nav>
!${mails.length === 0 ? empty : list}`;
  return renderPage(language, text.title, main);
}
