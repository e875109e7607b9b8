import type { FastifyRequest } from 'fastify';
import type { LoggerOptions } from 'pino';

/** Fields that never reach the log, wherever a message carries them. */
const secrets = [
  'authorization',
  'cookie',
  'password',
  'accessToken',
  'idToken',
  'refreshToken',
  'token',
  'code',
  'secret',
];

/** Logs type, message and stack of an error. Other properties may hold rows or keys. */
function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack, cause } = error;
  return {
    type,
    message,
    stack,
    // Not `code`, which is redacted.
    ...('code' in error && { errorCode: error.code }),
    ...(cause instanceof Error && { cause: loggedError(cause) }),
  };
}

/** Returns Pino's options: requests without query strings, which hold signatures, and redacted secrets. */
export function loggerOptions(level: string): LoggerOptions {
  return {
    level,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    serializers: {
      err: loggedError,
      req: (request: FastifyRequest) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
        remoteAddress: request.ip,
      }),
    },
  };
}
