import type { Connection } from '@escucho/database';
import type { JobConnections } from '@escucho/jobs';
import type { SmtpOptions } from '@escucho/service-kit';
import type { FacebookEndpoints, ProviderCredentials } from './federation/providers.ts';
import type { RelyingParty } from './passkeys/policy.ts';

export interface IdentityOptions {
  connection: Connection;
  /** The pool's public URL: the `iss` of tokens. It ends in the pool id and must never change. */
  issuer: string;
  /** E.g. `local_Ab12Cd34E`. Every password verifier is computed from it: with another id no password matches. */
  poolId: string;
  clientId: string;
  /** At least 32 bytes, stored outside the database: without it nothing encrypted in there can be read. */
  secret: string;
  /** The mail server; without one, mail stays in the database for the outbox page. */
  smtp?: SmtpOptions;
  /** Enables USER_PASSWORD_AUTH, which sends passwords in the clear; off by default. */
  passwordAuth?: boolean;
  /** Enables CUSTOM_AUTH, whose challenge is a mailed code; off by default. */
  customAuth?: boolean;
  /** Enables passkeys for a website; off by default. */
  passkeys?: RelyingParty;
  /** The key with which other servers of the installation delete users; without it none can. */
  adminKey?: string;
  /**
   * Deletes what other services store about the user of an access token, before `DeleteUser` deletes the account. It throws
   * where it cannot: then nothing is deleted.
   */
  deleteUserData?: (accessToken: string) => Promise<void>;
  /** Enables an identity pool of this id, whose credentials grant nothing; off by default. */
  identityPoolId?: string;
  /** OAuth 2 and the hosted pages; without it there are none. */
  oauth?: OAuthOptions;
  /** With them, this process sends mail and deletes expired data. */
  jobs?: JobConnections | undefined;
  clock?: () => Date;
}

/** The app's pages for sign-up and password recovery, as URLs or paths. */
export interface AppPages {
  signUp: string;
  forgotPassword: string;
}

export interface OAuthOptions {
  /** Base URLs under which browsers reach this provider, the public one first: `https://escucho.example/identity`. */
  addresses: readonly [string, ...string[]];
  /** Registered redirect URIs of the app; matched exactly. */
  redirectUris: readonly string[];
  /** Registered logout URIs of the app; matched exactly. */
  logoutUris: readonly string[];
  /** Enables the implicit grant, which puts tokens into the redirect; off by default. */
  implicit?: boolean;
  app: AppPages;
  google?: ProviderCredentials & { issuer?: string };
  facebook?: ProviderCredentials & { endpoints?: FacebookEndpoints };
  /** Simulates the providers that have no credentials by a page where one may sign in as anybody. For development only. */
  simulateProviders?: boolean;
}

/**
 * Returns the pool name, which clients hash into their SRP proofs.
 * @throws where clients would refuse the id
 */
export function getPoolName(poolId: string): string {
  const name = /^[\w-]+_([0-9a-zA-Z]+)$/.exec(poolId)?.[1];
  if (!name || poolId.length > 55) {
    throw new Error(`"${poolId}" is not a user pool id such as local_Ab12Cd34E.`);
  }
  return name;
}

/** Throws where the issuer is not a URL that ends in the pool id. */
export function checkIssuer(issuer: string, poolId: string): void {
  if (!URL.canParse(issuer) || !issuer.endsWith(`/${poolId}`)) {
    throw new Error('The issuer must be an address that ends in the user pool id.');
  }
}
