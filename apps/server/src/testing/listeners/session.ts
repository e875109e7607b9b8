import { setTimeout as delay } from 'node:timers/promises';
import type { Client, Outcome, Sent } from './client.ts';
import type { Recorder } from './recorder.ts';

/** Between two attempts to get tokens. */
const PAUSE_MS = 1000;
/** Amplify gets new tokens once the access token has expired. */
const TOKEN_LIFETIME_MS = 3_600_000;

export interface SessionOptions {
  client: Client;
  recorder: Recorder;
  clientId: string;
  email: string;
  password: string;
}

/** Creates the session of a user, who signs in by a password and gets new tokens once an hour. */
export function createSession({ client, recorder, clientId, email, password }: SessionOptions) {
  let tokens = { AccessToken: '', RefreshToken: '', IdToken: '' };
  let refreshAt = Number.POSITIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  async function requestTokens(AuthFlow: string, AuthParameters: object): Promise<void> {
    const startedAt = performance.now();
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await client.send({
        method: 'POST',
        path: '/identity',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
        },
        body: JSON.stringify({ ClientId: clientId, AuthFlow, AuthParameters }),
      });
      if (outcome.status === 200) {
        tokens = { ...tokens, ...JSON.parse(outcome.body).AuthenticationResult };
        return recorder.succeed('tokens', performance.now() - startedAt, attempts);
      }
      recorder.fail('tokens', outcome.name);
      await delay(PAUSE_MS);
    }
  }

  async function refresh(): Promise<void> {
    refreshing ??= requestTokens('REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: tokens.RefreshToken }).finally(() => {
      refreshing = undefined;
    });
    await refreshing;
  }

  return {
    async signIn(): Promise<void> {
      await requestTokens('USER_PASSWORD_AUTH', { USERNAME: email, PASSWORD: password });
      const body = JSON.stringify({ idToken: tokens.IdToken });
      await client.send({
        method: 'POST',
        path: '/api/auth/sign-in-cognito',
        headers: { authorization: `Bearer ${tokens.AccessToken}`, 'content-type': 'application/json' },
        body,
      });
      // As if the users had signed in at different times.
      refreshAt = Date.now() + Math.random() * TOKEN_LIFETIME_MS;
    },
    /** Gets new tokens when it is time. */
    refreshIfDue(): void {
      if (Date.now() < refreshAt) return;
      refreshAt += TOKEN_LIFETIME_MS;
      void refresh();
    },
    /** Sends a request with the access token; once more with a new token where it is refused. */
    async send(sent: Sent): Promise<Outcome> {
      const sendWithToken = () =>
        client.send({ ...sent, headers: { ...sent.headers, authorization: `Bearer ${tokens.AccessToken}` } });
      const outcome = await sendWithToken();
      if (outcome.status !== 401) return outcome;
      await refresh();
      return sendWithToken();
    },
  };
}

export type Session = ReturnType<typeof createSession>;
