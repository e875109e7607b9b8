import type { Connection } from '@escucho/database';
import type { SmtpOptions } from '@escucho/service-kit';
import type { FacebookAddresses, UpstreamKeys } from './federation/openid.ts';

/** What the identity provider is given. */
export interface IdentityOptions {
  connection: Connection;
  /** The public address of the pool: what tokens name as their issuer. Ends in the pool's id, never changes. */
  issuer: string;
  /** E.g. `local_Ab12Cd34E`. Part of every password's verifier: with another id nobody gets in. */
  poolId: string;
  clientId: string;
  /** At least 32 bytes, kept outside the database: without it nothing sealed in there can be read. */
  secret: string;
  /** The mail server; without one mail stays in the database, for the outbox page. */
  smtp?: SmtpOptions;
  /** Enables USER_PASSWORD_AUTH, which sends passwords in the clear; off by default. */
  passwordAuth?: boolean;
  /** Enables CUSTOM_AUTH, which answers as a pool without triggers does; off by default. */
  customAuth?: boolean;
  /** Replaces refresh tokens when used; one stays good for a grace of so many seconds. Off by default. */
  rotation?: { graceSeconds: number };
  /** What other servers of the installation prove themselves by, to delete accounts; without it none can. */
  adminKey?: string;
  /** How long access and id tokens are good for; 60 by default. */
  tokenMinutes?: number;
  /** Gives guests and people names and credentials that open nothing, as an identity pool of this id; off by default. */
  identityPoolId?: string;
  /** OAuth 2 and the hosted pages; without it there are none. */
  oauth?: OAuthOptions;
  clock?: () => Date;
}

/** What the hosted pages need to know of where they are, and whom they may send people to. */
export interface OAuthOptions {
  /** Where browsers reach this provider, the public address first: `https://escucho.example/identity`. */
  addresses: readonly [string, ...string[]];
  /** Where the app may be answered after a sign-in, and after a sign-out. A target matches whole and exactly. */
  signIn: readonly string[];
  signOut: readonly string[];
  /** Allows the implicit grant, which hands tokens over in an address; off by default. */
  implicit?: boolean;
  /** Pages of the app for those without an account, or without their password. */
  app?: { signUp?: string; forgotPassword?: string };
  /** Keys at other providers. `issuer` and `addresses` are those of the provider itself by default. */
  google?: UpstreamKeys & { issuer?: string };
  facebook?: UpstreamKeys & { addresses?: FacebookAddresses };
  /** Where there are no keys, a page stands in on which anybody may be anybody: for trying out only. */
  standIns?: boolean;
}

/** The part of a pool's id that clients put into their proofs. Throws where clients would refuse the id. */
export function poolNameOf(poolId: string): string {
  const name = /^[\w-]+_([0-9a-zA-Z]+)$/.exec(poolId)?.[1];
  if (!name || poolId.length > 55)
    throw new Error(`"${poolId}" is not a user pool id such as local_Ab12Cd34E.`);
  return name;
}

/** Throws where an issuer is not the address of its pool. */
export function checkIssuer(issuer: string, poolId: string): void {
  if (!URL.canParse(issuer) || !issuer.endsWith(`/${poolId}`)) {
    throw new Error('The issuer must be an address that ends in the user pool id.');
  }
}
