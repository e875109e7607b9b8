import type { PublicConfig } from '@escucho/contracts';
import { createAmplifyContext } from 'aws-amplify';
import { createUserPoolsTokenProvider } from 'aws-amplify/adapter-core';
import { confirmSignIn, type SignInInput, type SignInOutput, signIn } from 'aws-amplify/auth';
import { type Challenge, toNextStep } from '../model/challenge.ts';
import { findTokens } from '../model/stored-tokens.ts';
import { configure, storeTokens, toPoolConfig } from './client.ts';

/** The identity client's storage interface, in memory. */
function createMemoryStorage(items: Map<string, string>) {
  return {
    setItem: async (key: string, value: string) => void items.set(key, value),
    getItem: async (key: string) => items.get(key) ?? null,
    removeItem: async (key: string) => void items.delete(key),
    clear: async () => items.clear(),
  };
}

/** How users confirm who they are. */
export type Proof = { type: 'password'; password: string } | { type: 'passkey' } | { type: 'email' };

const preferredChallenges = { passkey: 'WEB_AUTHN', email: 'EMAIL_OTP' } as const;

const toSignInInput = (username: string, proof: Proof): SignInInput =>
  proof.type === 'password'
    ? { username, password: proof.password }
    : {
        username,
        options: { authFlowType: 'USER_AUTH', preferredChallenge: preferredChallenges[proof.type] },
      };

/** What follows a step: the sign-in is done, or `answer` answers a challenge. */
export type ReauthenticationStep =
  | 'done'
  | { challenge: Challenge; answer: (answer: string) => Promise<ReauthenticationStep> };

/**
 * Starts a sign-in of the signed-in user beside the session of this browser: the identity client refuses a second one in
 * the same storage. When it is complete, its tokens replace the session's in all tabs, and the replaced session ends.
 * Rejects with the provider's error, and with OtherUserException.
 */
export async function startReauthentication(
  config: PublicConfig,
  username: string,
  proof: Proof,
): Promise<ReauthenticationStep> {
  configure(config);
  const Auth = { Cognito: toPoolConfig(config) };
  const items = new Map<string, string>();
  const tokenProvider = createUserPoolsTokenProvider(Auth, createMemoryStorage(items));
  const context = createAmplifyContext({ Auth }, { Auth: { tokenProvider } });

  async function continueWith(output: SignInOutput): Promise<ReauthenticationStep> {
    const next = toNextStep(output);
    if (next === 'confirm' || next === 'reset') throw new Error(output.nextStep.signInStep);
    if (next !== 'done')
      return {
        challenge: next,
        answer: async (answer) => continueWith(await confirmSignIn(context, { challengeResponse: answer })),
      };
    const tokens = findTokens([...items.keys()], (key) => items.get(key) ?? null);
    if (!tokens?.id || !tokens.refresh) throw new Error('The sign-in has no tokens.');
    const { access, id, refresh } = tokens;
    await storeTokens(config, { access, id, refresh });
    return next;
  }

  return continueWith(await signIn(context, toSignInInput(username, proof)));
}
