import { AppError } from '@escucho/contracts';
import type { Connection } from '@escucho/database';
import { languageOf, pageHeaders } from '@escucho/service-kit';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod/mini';
import { open } from '../database.ts';
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

/**
 * The outbox of the embedded default, to be mounted at a prefix (IDP-04): a page for people, and `/messages` for
 * programs. It shows every code, so it belongs on machines for trying out only, and is readable from its own origin only.
 */
export const outbox: FastifyPluginAsync<{ connection: Connection }> = async (app, { connection }) => {
  const db = open(connection, 'escucho outbox', 2);
  app.addHook('onClose', () => db.destroy());
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.get('/', async (request, reply) => {
    const address = addressIn(request.query);
    const page = outboxPage(
      languageOf(request.headers['accept-language']),
      await listMail(db, address),
      address,
    );
    return reply.headers(pageHeaders()).type('text/html; charset=utf-8').send(page);
  });

  app.get('/messages', async (request) => {
    const mails = await listMail(db, addressIn(request.query));
    return mails.map((mail) => ({ ...mail, createdAt: mail.createdAt.toISOString() }));
  });
};
