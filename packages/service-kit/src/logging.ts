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

/** An error as the log holds it. */
interface Logged {
  type: string;
  code?: unknown;
  message: string;
  stack: string | undefined;
  cause?: unknown;
}

/** What else errors carry stays out: databases repeat rows in it, clients of others their headers and keys. */
const loggedError = (error: unknown): unknown =>
  error instanceof Error
    ? ({
        type: error.name,
        ...('code' in error && { code: error.code }),
        message: error.message,
        stack: error.stack,
        ...(error.cause !== undefined && { cause: loggedError(error.cause) }),
      } satisfies Logged)
    : error;

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
