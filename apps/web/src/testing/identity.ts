import { HttpResponse, http } from 'msw';
import { server } from './server.ts';

/** Creates an unsigned token of the identity provider that expires in some seconds. */
export function createToken(seconds = 3600, claims: Record<string, unknown> = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const text = JSON.stringify({
    sub: 'user-1',
    username: 'user-1',
    'cognito:username': 'user-1',
    iat: now,
    exp: now + seconds,
    ...claims,
  });
  return `e30.${btoa(text).replaceAll('+', '-').replaceAll('/', '_')}.signature`;
}

/** Stores a session as the identity client does; its tokens expire in some seconds, and `claims` are in the id token. */
export function storeSession(seconds = 3600, claims: Record<string, unknown> = {}): void {
  const prefix = 'CognitoIdentityServiceProvider.client1';
  localStorage.setItem(`${prefix}.LastAuthUser`, 'user-1');
  localStorage.setItem(`${prefix}.user-1.accessToken`, createToken(seconds));
  localStorage.setItem(`${prefix}.user-1.idToken`, createToken(seconds, claims));
  localStorage.setItem(`${prefix}.user-1.refreshToken`, 'refresh-1');
  localStorage.setItem(`${prefix}.user-1.clockDrift`, '0');
}

type Reply = Record<string, unknown> | { refuse: string; message: string };
export type Operation =
  | 'SignUp'
  | 'ConfirmSignUp'
  | 'ResendConfirmationCode'
  | 'InitiateAuth'
  | 'RespondToAuthChallenge'
  | 'GetTokensFromRefreshToken'
  | 'ForgotPassword'
  | 'ConfirmForgotPassword'
  | 'GlobalSignOut'
  | 'GetId'
  | 'GetCredentialsForIdentity'
  | 'ChangePassword'
  | 'UpdateUserAttributes'
  | 'GetUserAttributeVerificationCode'
  | 'VerifyUserAttribute'
  | 'RevokeToken'
  | 'GetUser'
  | 'AssociateSoftwareToken'
  | 'VerifySoftwareToken'
  | 'SetUserMFAPreference'
  | 'CreateRecoveryCodes'
  | 'GetRecoveryCodes'
  | 'ListWebAuthnCredentials'
  | 'DeleteWebAuthnCredential';

const delivery = {
  CodeDeliveryDetails: { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'a***' },
};
const tokens = () => ({
  AuthenticationResult: {
    // Differs from a stored token of the same second.
    AccessToken: createToken(3600, { jti: 'new' }),
    IdToken: createToken(),
    RefreshToken: 'refresh-1',
    ExpiresIn: 3600,
    TokenType: 'Bearer',
  },
});

/** The client does not verify the server's half of SRP, so any numbers are accepted. */
const successReplies: Record<Operation, () => Reply> = {
  SignUp: () => ({ UserConfirmed: false, UserSub: 'user-1', ...delivery }),
  ConfirmSignUp: () => ({}),
  ResendConfirmationCode: () => delivery,
  InitiateAuth: () => ({
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeParameters: {
      SALT: 'a1b2c3d4e5f60718',
      SRP_B: 'abcdef0123456789'.repeat(16),
      SECRET_BLOCK: btoa('secret'),
      USER_ID_FOR_SRP: 'user-1',
      USERNAME: 'user-1',
    },
  }),
  RespondToAuthChallenge: tokens,
  GetTokensFromRefreshToken: tokens,
  ForgotPassword: () => delivery,
  ConfirmForgotPassword: () => ({}),
  GlobalSignOut: () => ({}),
  GetId: () => ({ IdentityId: 'local:guest-1' }),
  GetCredentialsForIdentity: () => ({
    IdentityId: 'local:guest-1',
    Credentials: {
      AccessKeyId: 'key',
      SecretKey: 'secret',
      SessionToken: 'token',
      Expiration: 4_000_000_000,
    },
  }),
  ChangePassword: () => ({}),
  UpdateUserAttributes: () => ({ CodeDeliveryDetailsList: [delivery.CodeDeliveryDetails] }),
  GetUserAttributeVerificationCode: () => delivery,
  VerifyUserAttribute: () => ({}),
  RevokeToken: () => ({}),
  GetUser: () => ({ Username: 'user-1', UserAttributes: [] }),
  AssociateSoftwareToken: () => ({ SecretCode: 'ABCDEFGHIJKLMNOP', Session: 'session-2' }),
  VerifySoftwareToken: () => ({ Status: 'SUCCESS', Session: 'session-3' }),
  SetUserMFAPreference: () => ({}),
  CreateRecoveryCodes: () => ({ RecoveryCodes: ['AAAAA-11111', 'BBBBB-22222'] }),
  GetRecoveryCodes: () => ({ RemainingCount: 2 }),
  ListWebAuthnCredentials: () => ({ Credentials: [] }),
  DeleteWebAuthnCredential: () => ({}),
};

export interface IdentityRequest {
  operation: string;
  body: Record<string, unknown>;
}

/**
 * Mocks the identity provider; every operation succeeds unless `replies` overrides it.
 *
 * @returns the received requests, which are added as they arrive
 */
export function mockIdentity(
  replies: Partial<Record<Operation, () => Reply | Promise<Reply>>> = {},
): IdentityRequest[] {
  const requests: IdentityRequest[] = [];
  const all: Record<string, () => Reply | Promise<Reply>> = { ...successReplies, ...replies };
  server.use(
    http.post('*/identity', async ({ request }) => {
      const operation = request.headers.get('x-amz-target')?.split('.')[1] ?? '';
      const body: unknown = await request.json();
      requests.push({ operation, body: Object(body) });
      const reply = (await all[operation]?.()) ?? { refuse: 'UnknownOperationException', message: operation };
      if (!('refuse' in reply)) return HttpResponse.json(reply);
      return HttpResponse.json({ __type: reply.refuse, message: reply.message }, { status: 400 });
    }),
  );
  return requests;
}

/** Returns a reply with a body. */
export const replyWith = (body: Record<string, unknown>) => (): Reply => body;

/** Returns a reply with a body that is sent once a promise resolves. */
export const replyAfter =
  (delay: Promise<void>, body: Record<string, unknown> = {}) =>
  (): Promise<Reply> =>
    delay.then(() => body);

/** Returns a reply that issues tokens. */
export const issueTokens = tokens;

/** Returns replies that are sent in their order; the last one is repeated. */
export function inOrder(...replies: (() => Reply)[]): () => Reply {
  let next = 0;
  return () => {
    const reply = replies[Math.min(next, replies.length - 1)];
    next += 1;
    return reply?.() ?? {};
  };
}

/** Returns a reply with a challenge. */
export const challengeWith =
  (ChallengeName: string, ChallengeParameters: Record<string, string> = {}) =>
  (): Reply => ({ ChallengeName, ChallengeParameters, Session: 'session-1' });

/** Returns a reply that refuses an operation. */
export const rejectWith = (name: string, message: string) => () => ({ refuse: name, message });
