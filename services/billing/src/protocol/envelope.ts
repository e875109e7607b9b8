import { toAppError } from '@escucho/service-kit';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { BillingError, faults } from '../errors.ts';

const requestHeaders = ['authorization', 'content-type', 'accept', 'x-platform', 'x-version', 'x-is-sandbox'];

/** Any thrown thing as a refusal of the protocol; nothing where it is our own failure. */
function toRefusal(error: Error | FastifyError): BillingError | undefined {
  if (error instanceof BillingError) return error;
  const { status } = toAppError(error);
  if (status >= 500) return undefined;
  return status === 404 ? faults.notFound() : faults.badRequest('The request is not understood.', status);
}

function refuse({ code, status, message }: BillingError, reply: FastifyReply): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.status(status).type('application/json').serializer(JSON.stringify).send({ code, message });
}

/**
 * Every answer's envelope: refusals as `{code, message}`, and leave for pages of any origin to read them. Clients do not
 * look for a code in our own failures, so these carry none.
 */
export function registerEnvelope(app: FastifyInstance): void {
  const everywhere = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(everywhere);
  });
  // An address that cannot be read is answered before any hook.
  app.urlErrorResponders.set(app.prefix, ({ status }, _request, reply) =>
    refuse(faults.badRequest('The address is not understood.', status), reply.headers(everywhere)),
  );
  app.options('/*', { schema: { hide: true } }, (_request, reply) =>
    reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': requestHeaders.join(', '),
        'access-control-max-age': '86400',
      })
      .send(),
  );
  // An app that all of this is a part of may have an answer of its own to whatever else is callStripe for.
  app.get('/*', { schema: { hide: true } }, (_request, reply) => refuse(faults.notFound(), reply));
  app.setErrorHandler<FastifyError | BillingError>((error, request, reply) => {
    const refusal = toRefusal(error);
    if (refusal) return refuse(refusal, reply);
    request.log.error({ err: error }, 'billing call failed');
    return reply
      .status(500)
      .type('application/json')
      .serializer(JSON.stringify)
      .send({ message: 'Internal server error.' });
  });
  app.setNotFoundHandler((_request, reply) => refuse(faults.notFound(), reply));
}
