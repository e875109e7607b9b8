import { randomUUID } from 'node:crypto';
import { toFormBody } from '@escucho/contracts';
import type { Role } from './access-product.ts';
import type { AccessRow } from './access-rules.ts';

/** What requests of the rows are made of: tokens and keys by role, and the values of `$name`. */
interface Replacements {
  credentials: Record<Role, string>;
  values: Record<string, string>;
}

/** Replaces `$name` by the value, `$new` by a new id and `$token` by the role's token or key. */
const fill = (text: string, role: Role, { credentials, values }: Replacements): string =>
  text.replace(/\$(\w+)/g, (_, name: string) => {
    if (name === 'new') return randomUUID();
    if (name === 'token') return credentials[role] || 'none';
    const value = values[name];
    if (value === undefined) throw new Error(`There is no value ${name}.`);
    return value;
  });

const getMethod = (route: string) => {
  const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
  const method = methods.find((known) => route.startsWith(`${known} `));
  if (!method) throw new Error(`${route} has no known method.`);
  return method;
};

/** Returns the request of a row by a role. */
export function toRequest(
  { route, url, body, form, headers }: AccessRow,
  role: Role,
  requestValues: Replacements,
) {
  const [path = '', operation] = route.slice(route.indexOf(' ') + 1).split('#');
  const token = requestValues.credentials[role];
  const type = operation ? 'application/x-amz-json-1.1' : form && 'application/x-www-form-urlencoded';
  const text = body && (form ? String(toFormBody({ ...body })) : JSON.stringify(body));
  const payload = form ? text?.replaceAll('%24', '$') : text;
  return {
    method: getMethod(route),
    url: fill(url ?? path, role, requestValues),
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(payload !== undefined && { 'content-type': type || 'application/json' }),
      ...(operation && { 'x-amz-target': operation }),
      ...headers,
    },
    ...(payload !== undefined && { payload: fill(payload, role, requestValues) }),
  };
}
