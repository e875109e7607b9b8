import { AppError, type ErrorBody, type ErrorCode } from '@escucho/contracts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { messageFor, negotiateLanguage } from './language.ts';

/** Codes of errors that Fastify raises before a handler runs, by status. */
const codeOfStatus: Record<number, ErrorCode> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'invalid_request',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  429: 'too_many_requests',
  503: 'unavailable',
};

/** Converts a thrown value to an `AppError`: client errors by their status, anything unknown to `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const code = codeOfStatus[status] ?? (status >= 400 && status < 500 ? 'invalid_request' : 'internal');
  return new AppError(code, { cause: error });
}

/** Builds the body of an error response, with messages in the language of the request. */
export function toErrorBody(error: AppError, request: FastifyRequest): ErrorBody {
  const language = negotiateLanguage(request.headers['accept-language']);
  const fields = error.fields.map((field) => ({ ...field, message: messageFor(language, field.code) }));
  return {
    error: {
      code: error.code,
      message: messageFor(language, error.code),
      ...(fields.length > 0 && { fields }),
      requestId: request.id,
    },
  };
}

/** Sends an error in the format of a protocol. */
export type ErrorResponder = (error: AppError, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Sends an error as the API's error body; server errors are logged. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.status >= 500) request.log.error({ err: error.cause ?? error }, 'request failed');
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .status(error.status)
    .serializer(JSON.stringify)
    .type('application/json')
    .send(toErrorBody(error, request));
}

/** Installs the error handler and the not-found handler of an app. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | AppError>((error, request, reply) =>
    sendError(toAppError(error), request, reply),
  );
  app.setNotFoundHandler((request, reply) => sendError(new AppError('not_found'), request, reply));
}
