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
