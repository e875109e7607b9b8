import { createHash, generateKeyPairSync } from 'node:crypto';
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
import { exportJWK, SignJWT } from 'jose';

/** How the fake provider deviates from a correct response. */
export interface ProviderBehaviour {
  /** Overrides of the id token's claims; undefined ones are omitted. */
  claims?: Record<string, unknown>;
  /** Signs with a key that is not published. */
  forged?: boolean;
  /** The response of the token endpoint. */
  token?: { status: number; body: unknown };
  /** The response of Graph's /me. */
  graph?: { status: number; body: unknown };
  /** The response of discovery. */
  discovery?: { status: number; body: unknown };
}

const published = generateKeyPairSync('rsa', { modulusLength: 2048 });
const unpublished = generateKeyPairSync('rsa', { modulusLength: 2048 });

/**
 * Starts a fake of Google and Facebook on loopback. `state.behaviour` may be changed while it runs; `state.tokenRequest`
 * is the last request of the token endpoint.
 */
export async function startFakeProvider() {
  const state: { behaviour: ProviderBehaviour; tokenRequest: Record<string, string>; nonce: string } = {
    behaviour: {},
    tokenRequest: {},
    nonce: '',
  };
  const server = Fastify({ pluginTimeout: 0 });
  await server.register(formbody);
  const getIssuer = () => {
    const address = server.server.address();
    return address !== null && typeof address === 'object' ? `http://127.0.0.1:${address.port}` : '';
  };

  server.get('/.well-known/openid-configuration', async (_request, reply) => {
    const { discovery } = state.behaviour;
    if (discovery) return reply.status(discovery.status).send(discovery.body);
    const issuer = getIssuer();
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  });
  server.get('/jwks', async () => ({
    keys: [{ ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
  }));
  server.post<{ Body: Record<string, string> }>('/token', async (request, reply) => {
    state.tokenRequest = request.body;
    const { token, claims, forged } = state.behaviour;
    if (token) return reply.status(token.status).send(token.body);
    const now = Math.floor(Date.now() / 1000);
    const id = await new SignJWT({
      iss: getIssuer(),
      aud: 'google-client',
      sub: '110169484474386276334',
      email: 'Ana.Ruiz@gmail.test',
      email_verified: true,
      given_name: 'Ana',
      family_name: 'Ruiz',
      nonce: state.nonce,
      iat: now,
      exp: now + 600,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(forged ? unpublished.privateKey : published.privateKey);
    return { access_token: 'provider-token', token_type: 'Bearer', expires_in: 600, id_token: id };
  });
  server.post<{ Body: Record<string, string> }>('/graph/oauth/access_token', async (request, reply) => {
    state.tokenRequest = request.body;
    const { token } = state.behaviour;
    if (token) return reply.status(token.status).send(token.body);
    return { access_token: 'graph-token', token_type: 'bearer', expires_in: 5_000_000 };
  });
  server.get('/graph/me', async (request, reply) => {
    if (request.headers.authorization !== 'Bearer graph-token') return reply.status(400).send({ error: {} });
    const { graph } = state.behaviour;
    if (graph) return reply.status(graph.status).send(graph.body);
    return { id: '1020304050', email: 'ana@facebook.test', first_name: 'Ana', last_name: 'Ruiz' };
  });
  await server.listen({ host: '127.0.0.1', port: 0 });

  return {
    issuer: getIssuer(),
    state,
    /** Returns the callback URL after the user's consent to an authorization request. */
    consent(authorizationUrl: URL, response: Record<string, string> = { code: 'provider-code' }): string {
      state.nonce = authorizationUrl.searchParams.get('nonce') ?? '';
      const callback = new URL(authorizationUrl.searchParams.get('redirect_uri') ?? '');
      const parameters = { state: authorizationUrl.searchParams.get('state') ?? '', ...response };
      for (const [name, value] of Object.entries(parameters)) callback.searchParams.set(name, value);
      return callback.href;
    },
    /** Returns whether the code verifier of the last token request matches an authorization request. */
    matchesVerifier: (authorizationUrl: URL) =>
      createHash('sha256')
        .update(state.tokenRequest.code_verifier ?? '')
        .digest('base64url') === authorizationUrl.searchParams.get('code_challenge'),
    stop: () => server.close(),
  };
}
