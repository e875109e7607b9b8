import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault, faults } from '../faults.ts';

/** What browsers may send. */
const requestHeaders = [
  'content-type',
  'x-amz-target',
  'x-amz-user-agent',
  'cache-control',
  'authorization',
  'amz-sdk-invocation-id',
  'amz-sdk-request',
];
/** Headers of AWS's own clients, which grow in number. */
const clientHeader = /^(?:x-amz|amz-sdk)-[a-z0-9-]{1,60}$/;
const answerHeaders = ['x-amzn-errortype', 'x-amzn-errormessage', 'x-amzn-requestid'];

/** The media type of the protocol's bodies, both ways. */
export const mediaType = 'application/x-amz-json-1.1';

const faultOfStatus: Record<number, () => Fault> = {
  400: faults.unreadable,
  404: faults.pageUnknown,
  413: faults.tooLarge,
  415: faults.mediaType,
};

/** Any thrown thing as a refusal: ours stay, what Fastify finds goes by its status, all else is our own failure. */
function faultOf(error: Error | FastifyError): Fault {
  if (error instanceof Fault) return error;
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status >= 500) return faults.internal();
  return (faultOfStatus[status] ?? faults.unreadable)();
}

function refuse(fault: Fault, reply: FastifyReply): FastifyReply {
  return (
    reply
      .status(fault.status)
      .header('x-amzn-errortype', `${fault.type}:`)
      // A header takes no other characters.
      .header('x-amzn-errormessage', fault.message.replace(/[^ -~]/g, '?'))
      .type(mediaType)
      .serializer(JSON.stringify)
      .send({ __type: fault.type, message: fault.message })
  );
}

/** What browsers may send, with what they ask for of the clients' own headers. */
function allowedHeaders(asked = ''): string {
  const names = asked.toLowerCase().split(/\s*,\s*/);
  return [...new Set([...requestHeaders, ...names.filter((name) => clientHeader.test(name))])].join(', ');
}

/** Every answer's envelope: errors in the protocol's form, and leave for pages of any origin to read it. */
export function registerEnvelope(app: FastifyInstance): void {
  app.addHook('onRequest', async (request: FastifyRequest, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': answerHeaders.join(', '),
      'x-amzn-requestid': request.id,
    });
  });
  for (const path of ['/', '/*']) {
    app.options(path, (request, reply) =>
      reply
        .status(204)
        .headers({
          'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
          'access-control-allow-headers': allowedHeaders(request.headers['access-control-request-headers']),
          vary: 'access-control-request-headers',
          'access-control-max-age': '86400',
        })
        .send(),
    );
  }
  app.setErrorHandler<FastifyError | Fault>((error, request, reply) => {
    const fault = faultOf(error);
    if (fault.status >= 500) request.log.error({ err: error }, 'identity operation failed');
    return refuse(fault, reply);
  });
  app.setNotFoundHandler((_request, reply) => refuse(faults.pageUnknown(), reply));
}
