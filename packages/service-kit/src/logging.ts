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

/** An error by what it is and says. What else it carries stays out: databases repeat rows there, clients their keys. */
function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack, cause } = error;
  return {
    ...{ type, message, stack },
    // Not `code`, which is a secret's name elsewhere.
    ...('code' in error && { errorCode: error.code }),
    ...(cause instanceof Error && { cause: loggedError(cause) }),
  };
}

/** Pino's options. In: the level. Out: requests without query strings (signatures ride there), errors by their words alone, and secrets blanked at two depths. */
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
