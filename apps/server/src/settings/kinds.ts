import { isIP } from 'node:net';
import * as z from 'zod/mini';

/** Yes or no, as the environment says it. */
export const flag = z.pipe(
  z.enum(['true', 'false', '1', '0'], 'must be true or false'),
  z.transform((text) => text === 'true' || text === '1'),
);
/** A web address. */
export const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
/** A web address, handed on without a slash at its end. */
export const withoutSlash = z.pipe(
  address,
  z.transform((text) => text.replace(/\/+$/, '')),
);

/** Whether a proxy can be known by this: a name for addresses of one's own, an address, or a network. */
function isProxy(named: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(named)) return true;
  const [address = '', bits, ...rest] = named.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Proxies, comma-separated. */
export const proxies = z
  .string()
  .check(
    z.refine(
      (text) => text.split(',').every((part) => isProxy(part.trim())),
      'must be loopback, linklocal, uniquelocal, addresses or networks, comma-separated',
    ),
  );
