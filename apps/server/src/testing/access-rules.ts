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

/** Which roles a route refuses, and how. Other roles get the outcome of the row. */
export const accessRules: Record<Access, Partial<Record<Role, string>>> = {
  anyone: {},
  /** A signed-in user of the portal, on data of one's own. */
  user: {
    nobody: '401 unauthorized',
    publicKey: '401 unauthorized',
    secretKey: '401 unauthorized',
    adminKey: '401 unauthorized',
  },
  /** A user of the portal, on data of the owner. */
  owner: {
    nobody: '401 unauthorized',
    publicKey: '401 unauthorized',
    secretKey: '401 unauthorized',
    adminKey: '401 unauthorized',
    operatorUser: '404 not_found',
    otherUser: '404 not_found',
  },
  /** An account of the identity provider, by the access token in the header. */
  account: {
    nobody: '401 unauthorized',
    publicKey: '401 unauthorized',
    secretKey: '401 unauthorized',
    adminKey: '401 unauthorized',
    operatorUser: '401 unauthorized',
  },
  /** An account of the identity provider, by the access token in the body. */
  token: {
    nobody: '400 NotAuthorizedException',
    publicKey: '400 NotAuthorizedException',
    secretKey: '400 NotAuthorizedException',
    adminKey: '400 NotAuthorizedException',
    operatorUser: '400 NotAuthorizedException',
  },
  /** A key of the billing provider: the public key of pages, or the secret key of servers. */
  apiKey: {
    nobody: '401 7225',
    adminKey: '401 7225',
    operatorUser: '401 7225',
    otherUser: '401 7225',
    owner: '401 7225',
  },
  publicKey: {
    nobody: '401 7225',
    secretKey: '403 7243',
    adminKey: '401 7225',
    operatorUser: '401 7225',
    otherUser: '401 7225',
    owner: '401 7225',
  },
  /** The admin key of the identity provider. */
  adminKey: {
    nobody: '400 MissingAuthenticationTokenException',
    publicKey: '400 UnrecognizedClientException',
    secretKey: '400 UnrecognizedClientException',
    operatorUser: '400 UnrecognizedClientException',
    otherUser: '400 UnrecognizedClientException',
    owner: '400 UnrecognizedClientException',
  },
  secretKey: {
    nobody: '401 7225',
    publicKey: '403 7243',
    adminKey: '401 7225',
    operatorUser: '401 7225',
    otherUser: '401 7225',
    owner: '401 7225',
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
