import { randomBytes } from 'node:crypto';
import { demoUser, freeUser } from '../../../e2e/support/app/users.ts';
import {
  computePublicB,
  computeScrambler,
  computeSharedSecret,
  computeVerifier,
  deriveSignatureKey,
  signPasswordClaim,
  toNumber,
} from '../../../services/identity/src/sign-in/srp.ts';
import { createSrpClient } from '../../../services/identity/src/testing/srp-client.ts';
import type { Measurement, OpenEnvironment } from '../measurement.ts';

const ROUNDS = 7;
const CONCURRENCY = 50;

interface Pool {
  endpoint: string;
  clientId: string;
  poolName: string;
}

async function callApi({ endpoint }: Pool, operation: string, body: object) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Signs in with a client whose key pair was generated before. */
async function signIn(pool: Pool, client: ReturnType<typeof createSrpClient>, email: string): Promise<void> {
  const { clientId: ClientId } = pool;
  const { ChallengeParameters } = await callApi(pool, 'InitiateAuth', {
    ClientId,
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: email, SRP_A: client.A },
  });
  const ChallengeResponses = client.solve(ChallengeParameters, demoUser.password, new Date());
  await callApi(pool, 'RespondToAuthChallenge', {
    ClientId,
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeResponses,
  });
}

/** Runs concurrent sign-ins. Returns sign-ins per second. */
async function measureRate(pool: Pool): Promise<number> {
  const clients = Array.from({ length: CONCURRENCY }, () => createSrpClient(pool.poolName));
  const startedAt = performance.now();
  await Promise.all(
    clients.map((client, index) => signIn(pool, client, index % 2 ? freeUser.email : demoUser.email)),
  );
  return CONCURRENCY / ((performance.now() - startedAt) / 1000);
}

/** Computes the server's half of the SRP arithmetic. Returns sign-ins per second. */
function measureBareRate({ poolName }: Pool): number {
  const verifier = computeVerifier(poolName, 'u', demoUser.password, toNumber(randomBytes(16)));
  const numbers = Array.from({ length: CONCURRENCY }, () => toNumber(randomBytes(384)));
  const secretBlock = randomBytes(900);
  const startedAt = performance.now();
  for (const A of numbers) {
    const b = toNumber(randomBytes(32));
    const u = computeScrambler(A, computePublicB(verifier, b));
    const S = computeSharedSecret(A, verifier, u, b) ?? 1n;
    signPasswordClaim(deriveSignatureKey(S, u), { poolName, userId: 'u', secretBlock, timestamp: '' });
  }
  return CONCURRENCY / ((performance.now() - startedAt) / 1000);
}

/** Returns the maximum event loop delay since the last call, in milliseconds. */
async function readMaxDelay(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}

async function measure(open: OpenEnvironment) {
  const { origin } = await open();
  const { identity } = await (await fetch(`${origin}/config.json`)).json();
  const [endpoint, clientId] = [identity.endpoint, identity.clientId];
  const pool: Pool = { endpoint, clientId, poolName: identity.userPoolId.split('_')[1] };
  await measureRate(pool);
  const [rates, bareRates, delays, idleDelays]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    bareRates.push(measureBareRate(pool));
    await readMaxDelay(origin);
    const startedAt = performance.now();
    rates.push(await measureRate(pool));
    const duration = performance.now() - startedAt;
    delays.push(await readMaxDelay(origin));
    await new Promise((resolve) => setTimeout(resolve, duration));
    idleDelays.push(await readMaxDelay(origin));
  }
  return [
    { label: 'SRP sign-ins per second', unit: '/s', values: rates, ceiling: bareRates },
    {
      label: `longest event loop delay during ${CONCURRENCY} sign-ins`,
      unit: 'ms',
      values: delays,
      ceiling: idleDelays,
    },
  ];
}

export const signIns: Measurement = {
  name: 'sign-ins',
  title: 'Sign-ins',
  method: `${CONCURRENCY} concurrent sign-ins, ${ROUNDS} interleaved rounds, client and server on the same machine. Ceilings: the server's half of the SRP arithmetic alone, in one process; the event loop delay of the same product for as long without sign-ins (its gauge does not go below 10 ms).`,
  measure,
};
