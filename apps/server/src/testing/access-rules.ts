import { randomUUID } from 'node:crypto';
import { toFormBody } from '@escucho/contracts';
import type { Role } from './access-product.ts';

export type Access =
  | 'adminKey'
  | 'anyone'
  | 'user'
  | 'owner'
  | 'account'
  | 'token'
  | 'apiKey'
  | 'publicKey'
  | 'secretKey';

/** Returns the outcomes of roles that are refused alike. */
const refuse = (outcome: string, ...roles: Role[]): Partial<Record<Role, string>> =>
  Object.fromEntries(roles.map((role) => [role, outcome]));

/** Callers without a session, and the users of sessions. */
const keys = ['nobody', 'publicKey', 'secretKey', 'adminKey'] as const;
const users = ['operatorUser', 'otherUser', 'owner'] as const;

/** Which roles a route refuses, and how. Other roles get the outcome of the row. */
export const accessRules: Record<Access, Partial<Record<Role, string>>> = {
  anyone: {},
  /** A signed-in user of the portal, on data of one's own. */
  user: refuse('401 unauthorized', ...keys),
  /** A user of the portal, on data of the owner. */
  owner: {
    ...refuse('401 unauthorized', ...keys),
    ...refuse('404 not_found', 'operatorUser', 'otherUser'),
  },
  /** An account of the identity provider, by the access token in the header. */
  account: refuse('401 unauthorized', ...keys, 'operatorUser'),
  /** An account of the identity provider, by the access token in the body. */
  token: refuse('400 NotAuthorizedException', ...keys, 'operatorUser'),
  /** A key of the billing provider: the public key of pages, or the secret key of servers. */
  apiKey: refuse('401 7225', 'nobody', 'adminKey', ...users),
  publicKey: { ...refuse('401 7225', 'nobody', 'adminKey', ...users), secretKey: '403 7243' },
  secretKey: { ...refuse('401 7225', 'nobody', 'adminKey', ...users), publicKey: '403 7243' },
  /** The admin key of the identity provider. */
  adminKey: {
    ...refuse('400 UnrecognizedClientException', 'publicKey', 'secretKey', ...users),
    nobody: '400 MissingAuthenticationTokenException',
  },
};

/** The outcome of a route by role: status and error code. */
export interface AccessRow extends Partial<Record<Role, string>> {
  access: Access;
  /** Method and path; for an operation of the identity provider with `#` and its `X-Amz-Target`. */
  route: string;
  /** The requested URL, where it differs from the path. */
  url?: string;
  body?: object;
  form?: true;
  headers?: Record<string, string>;
  /** The outcome for the roles that the route accepts; 200 by default. */
  outcome?: string;
  isStream?: true;
  /** The row gets an owner and another user of its own, because it ends sessions or accounts. */
  replacesUsers?: true;
  title?: string;
}

export type Options = Omit<AccessRow, 'access' | 'route'>;
/** Returns a row. */
export const row = (access: Access, route: string, options: Options = {}): AccessRow => ({
  access,
  route,
  ...options,
});

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
