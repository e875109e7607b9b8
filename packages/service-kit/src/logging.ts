import { once } from 'node:events';
import { resolveWithin } from '@escucho/database';
import type { FastifyRequest } from 'fastify';
import { destination, type LoggerOptions } from 'pino';

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

/** How long a process that stops waits for the consumer of its log. */
const FLUSH_TIMEOUT_MS = 1000;
/** Lines are dropped while so many characters wait for the consumer of the log. */
const MAX_UNWRITTEN_LENGTH = 16 * 2 ** 20;

let output: ReturnType<typeof destination> | undefined;

function openOutput() {
  const opened = destination({ dest: 1, sync: false, maxLength: MAX_UNWRITTEN_LENGTH });
  // Pino calls it when the process exits, and it never returns where nobody reads the log any more.
  opened.flushSync = () => {};
  return opened;
}

/** Returns the options of a log on standard output, which is written in the background. */
export function standardOutputLog(level: string) {
  output ??= openOutput();
  return { ...loggerOptions(level), stream: output };
}

/** Writes the last lines of the log on standard output, unless nobody reads them. Call it before the process exits. */
export async function endLog(): Promise<void> {
  if (!output) return;
  const closed = once(output, 'close').catch(() => undefined);
  output.end();
  output.write = () => true;
  await resolveWithin(FLUSH_TIMEOUT_MS, closed, undefined);
}
