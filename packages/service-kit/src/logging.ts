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

/** Pino's options. In: the level. Out: requests without query strings (signatures ride there) and secrets blanked at two depths. */
export function loggerOptions(level: string): LoggerOptions {
  return {
    level,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
        remoteAddress: request.ip,
      }),
    },
  };
}
