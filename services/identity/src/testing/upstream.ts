import { createHash, generateKeyPairSync } from 'node:crypto';
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
import { exportJWK, SignJWT } from 'jose';

/** What a provider that stands in for Google and Facebook does in a test; what is not set is as it should be. */
export interface Conduct {
  /** Claims of the id token, over the right ones; members that are undefined are left out. */
  claims?: Record<string, unknown>;
  /** Signs with another key than it publishes. */
  forged?: boolean;
  /** Answers at the token endpoint. */
  token?: { status: number; body: unknown };
  /** What Graph says of the person. */
  graph?: { status: number; body: unknown };
  /** Answers discovery with this. */
  discovery?: { status: number; body: unknown };
}

/** Starts such a provider on loopback. `conduct` may be changed while it runs; `redeemed` is what the last code came with. */
export async function startUpstream() {
  const state: { conduct: Conduct; redeemed: Record<string, string>; nonce: string } = {
    conduct: {},
    redeemed: {},
    nonce: '',
  };
  const mine = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const server = Fastify();
  await server.register(formbody);
  const issuerOf = () => {
    const at = server.server.address();
    return at !== null && typeof at === 'object' ? `http://127.0.0.1:${at.port}` : '';
  };

  server.get('/.well-known/openid-configuration', async (_request, reply) => {
    const { discovery } = state.conduct;
    if (discovery) return reply.status(discovery.status).send(discovery.body);
    const issuer = issuerOf();
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
    keys: [{ ...(await exportJWK(mine.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
  }));
  server.post<{ Body: Record<string, string> }>('/token', async (request, reply) => {
    state.redeemed = request.body;
    const { token, claims, forged } = state.conduct;
    if (token) return reply.status(token.status).send(token.body);
    const now = Math.floor(Date.now() / 1000);
    const id = await new SignJWT({
      iss: issuerOf(),
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
      .sign(forged ? other.privateKey : mine.privateKey);
    return { access_token: 'upstream-token', token_type: 'Bearer', expires_in: 600, id_token: id };
  });
  server.post<{ Body: Record<string, string> }>('/graph/oauth/access_token', async (request, reply) => {
    state.redeemed = request.body;
    const { token } = state.conduct;
    if (token) return reply.status(token.status).send(token.body);
    return { access_token: 'graph-token', token_type: 'bearer', expires_in: 5_000_000 };
  });
  server.get('/graph/me', async (request, reply) => {
    if (request.headers.authorization !== 'Bearer graph-token') return reply.status(400).send({ error: {} });
    const { graph } = state.conduct;
    if (graph) return reply.status(graph.status).send(graph.body);
    return { id: '1020304050', email: 'ana@facebook.test', first_name: 'Ana', last_name: 'Ruiz' };
  });
  await server.listen({ host: '127.0.0.1', port: 0 });

  return {
    issuer: issuerOf(),
    state,
    /** Lets the person say yes there. In: where our provider sent the browser. Out: where the browser goes then. */
    consent(asked: URL, answer: Record<string, string> = { code: 'upstream-code' }): string {
      state.nonce = asked.searchParams.get('nonce') ?? '';
      const back = new URL(asked.searchParams.get('redirect_uri') ?? '');
      const given = { state: asked.searchParams.get('state') ?? '', ...answer };
      for (const [name, value] of Object.entries(given)) back.searchParams.set(name, value);
      return back.href;
    },
    /** Whether a verifier is the one that was announced. */
    fits: (asked: URL) =>
      createHash('sha256')
        .update(state.redeemed.code_verifier ?? '')
        .digest('base64url') === asked.searchParams.get('code_challenge'),
    stop: () => server.close(),
  };
}
