import { isIP } from 'node:net';
import * as z from 'zod/mini';

/** A boolean: `true`, `false`, `1` or `0`. */
export const flag = z.pipe(
  z.enum(['true', 'false', '1', '0'], 'must be true or false'),
  z.transform((text) => text === 'true' || text === '1'),
);
export const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
/** A web URL, parsed without trailing slashes. */
export const baseUrl = z.pipe(
  webUrl,
  z.transform((text) => text.replace(/\/+$/, '')),
);

const isOrigin = (text: string): boolean => {
  const { username, password, pathname, search, hash } = new URL(text);
  return [username, password, pathname.replace(/^\/+$/, ''), search, hash].join('') === '';
};

/** The origin of a web server, written as browsers send it: the host in lower case, and no default port. */
export const webOrigin = z.pipe(
  webUrl,
  z.pipe(
    z.string().check(z.refine(isOrigin, 'must have no path, query or credentials')),
    z.transform((text) => new URL(text).origin),
  ),
);

/** Returns whether a host name or address is this machine. */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** The host to listen on, and the public URL if it is set. */
interface Address {
  host: string;
  publicUrl: string | undefined;
}

/** Returns whether only this machine reaches the server. */
export const isLoopbackAddress = ({ host, publicUrl }: Address): boolean =>
  isLoopbackHost(host) && (publicUrl === undefined || isLoopbackHost(new URL(publicUrl).hostname));

/** Returns whether requests to a web address leave this machine without encryption. */
export function isInsecureWebUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

interface Range {
  min: number;
  max?: number;
}

/** A whole number of a unit, such as days. */
export const wholeNumberOf = (unit: string, { min, max = Number.MAX_SAFE_INTEGER }: Range) =>
  z.coerce
    .number(`must be a number of ${unit}`)
    .check(
      z.int(`must be whole ${unit}`),
      z.minimum(min, `must be ${min} or more`),
      z.maximum(max, `must be ${max} or less`),
    );

/** A comma-separated list. */
export const listOf = <Item extends z.ZodMiniType<unknown, string>>(item: Item) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.split(',').map((value) => value.trim())),
    ),
    z.array(item),
  );

/** A comma-separated list of the names given. */
export const listOfNames = <const Name extends string>(names: readonly Name[]) =>
  listOf(z.enum(names, `must be a list of ${names.join(', ')}`));

/** Returns whether a text is a proxy as Fastify's `trustProxy` takes it: a named range, an IP address or a network. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** A comma-separated list of proxies. */
export const proxyList = z
  .string()
  .check(
    z.refine(
      (text) => text.split(',').every((proxy) => isProxy(proxy.trim())),
      'must be loopback, linklocal, uniquelocal, addresses or networks, comma-separated',
    ),
  );

/** Invalid environment variables; the message lists every problem on a line of its own. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`These settings are not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

function findProblems(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
}

/**
 * Calls functions that read settings, so that all problems are reported together.
 *
 * @throws EnvError with the problems of all of them
 */
export function checkEnv(settings: readonly (() => unknown)[]): void {
  const problems = settings.flatMap(findProblems);
  if (problems.length > 0) throw new EnvError(problems);
}

/**
 * Parses environment variables by a schema; empty ones count as unset.
 *
 * @throws EnvError
 */
export function readEnv<Schema extends z.ZodMiniType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): z.output<Schema> {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = z.safeParse(schema, set);
  if (result.success) return result.data;
  // The rest of a path is the index in a list.
  const problems = result.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}`);
  throw new EnvError([...new Set(problems)]);
}
