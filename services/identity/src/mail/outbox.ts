import { AppError } from '@escucho/contracts';
import type { Connection } from '@escucho/database';
import { negotiateLanguage, pageHeaders } from '@escucho/service-kit';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod/mini';
import { open } from '../database.ts';
import type { Mail } from './mailer.ts';
import { outboxPage } from './page.ts';
import { listMail } from './repository.ts';

const query = z.object({
  to: z.optional(z.string().check(z.maxLength(320), z.regex(/^[^\p{Cc}]*$/u))),
});

/** The address asked for, if any. Throws `invalid_request` for anything but one line of text. */
function addressIn(asked: unknown): string | undefined {
  const result = query.safeParse(asked);
  if (result.success) return result.data.to;
  throw new AppError('invalid_request', {
    fields: [{ path: 'query.to', code: 'field_invalid', message: 'field_invalid' }],
  });
}

interface OutboxOptions {
  connection: Connection;
  /** What other services would have sent: newest first, for one address where it is given. */
  others?: (to: string | undefined) => Promise<Mail[]>;
}

/**
 * The outbox of the embedded default, to be mounted at a prefix (IDP-04): a page for people, and `/messages` for
 * programs. It shows every code, so it belongs on machines for trying out only, and is readable from its own origin only.
 */
export const outbox: FastifyPluginAsync<OutboxOptions> = async (app, { connection, others }) => {
  const db = open(connection, 'escucho outbox', 2);
  app.addHook('onClose', () => db.destroy());
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  /** Everything that was not sent, newest first. */
  async function mailTo(address: string | undefined): Promise<Mail[]> {
    const all = await Promise.all([listMail(db, address), others?.(address) ?? []]);
    return all.flat().toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  }

  app.get('/', async (request, reply) => {
    const address = addressIn(request.query);
    const page = outboxPage(
      negotiateLanguage(request.headers['accept-language']),
      await mailTo(address),
      address,
    );
    return reply.headers(pageHeaders()).type('text/html; charset=utf-8').send(page);
  });

  app.get('/messages', async (request) => {
    const mails = await mailTo(addressIn(request.query));
    return mails.map((mail) => ({ ...mail, createdAt: mail.createdAt.toISOString() }));
  });
};
