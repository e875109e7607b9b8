import { type PublicConfig, platforms } from '@escucho/contracts';

/** The origin of jsdom's documents. */
const origin = 'http://localhost:3000';

/** The configuration of the embedded default, at jsdom's origin. */
export const testConfig: PublicConfig = {
  api: `${origin}/api`,
  identity: {
    endpoint: `${origin}/identity`,
    userPoolId: 'local_Ab12Cd34E',
    clientId: 'client1',
    issuer: `${origin}/identity/local_Ab12Cd34E`,
    jwksUri: `${origin}/identity/local_Ab12Cd34E/.well-known/jwks.json`,
    listsSessions: true,
    guestAccess: false,
    oauth: {
      domain: 'localhost:3000/identity',
      scopes: ['openid', 'email'],
      redirectSignIn: [`${origin}/auth/sign-in`],
      redirectSignOut: [`${origin}/auth/sign-out`],
    },
  },
  billing: null,
  operators: platforms.map((platform) => ({
    platform,
    page: `${origin}/operators/${platform}`,
    tagManagerId: null,
  })),
  communityUrl: 'https://community.example',
  supportEmail: 'support@escucho.example',
  outbox: `${origin}/outbox`,
};
