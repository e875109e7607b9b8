import { randomBytes } from 'node:crypto';
import { demoUser, freeUser } from '../../e2e/support/users.ts';
import {
  computePublicB,
  computeScrambler,
  computeSharedSecret,
  computeVerifier,
  deriveSignatureKey,
  signPasswordClaim,
  toNumber,
} from '../../services/identity/src/sign-in/srp.ts';
import { createSrpClient } from '../../services/identity/src/testing/srp-client.ts';
import type { Measurement, OpenBench } from './figure.ts';

const rounds = 7;
const atOnce = 50;

interface Pool {
  endpoint: string;
  clientId: string;
  poolName: string;
}

async function ask({ endpoint }: Pool, operation: string, body: object) {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${operation}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** A whole sign-in. The client's first number is made before. */
async function signIn(pool: Pool, client: ReturnType<typeof createSrpClient>, email: string): Promise<void> {
  const { clientId: ClientId } = pool;
  const { ChallengeParameters } = await ask(pool, 'InitiateAuth', {
    ClientId,
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: email, SRP_A: client.A },
  });
  const ChallengeResponses = client.solve(ChallengeParameters, demoUser.password, new Date());
  await ask(pool, 'RespondToAuthChallenge', {
    ClientId,
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeResponses,
  });
}

/** So many sign-ins at once. Out: how many a second. */
async function signedIn(pool: Pool): Promise<number> {
  const clients = Array.from({ length: atOnce }, () => createSrpClient(pool.poolName));
  const began = performance.now();
  await Promise.all(
    clients.map((client, index) => signIn(pool, client, index % 2 ? freeUser.email : demoUser.email)),
  );
  return atOnce / ((performance.now() - began) / 1000);
}

/** The server's half of the arithmetic, and nothing else. Out: how many a second. */
function bareArithmetic({ poolName }: Pool): number {
  const verifier = computeVerifier(poolName, 'u', demoUser.password, toNumber(randomBytes(16)));
  const numbers = Array.from({ length: atOnce }, () => toNumber(randomBytes(384)));
  const secretBlock = randomBytes(900);
  const began = performance.now();
  for (const A of numbers) {
    const b = toNumber(randomBytes(32));
    const u = computeScrambler(A, computePublicB(verifier, b));
    const S = computeSharedSecret(A, verifier, u, b) ?? 1n;
    signPasswordClaim(deriveSignatureKey(S, u), { poolName, userId: 'u', secretBlock, timestamp: '' });
  }
  return atOnce / ((performance.now() - began) / 1000);
}

/** The longest the product's event loop was held since this was asked last, in milliseconds. */
async function heldSince(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}

async function measure(open: OpenBench) {
  const { origin } = await open();
  const { identity } = await (await fetch(`${origin}/config.json`)).json();
  const [endpoint, clientId] = [identity.endpoint, identity.clientId];
  const pool: Pool = { endpoint, clientId, poolName: identity.userPoolId.split('_')[1] };
  await signedIn(pool);
  const [rate, bare, held, quiet]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(bareArithmetic(pool));
    await heldSince(origin);
    const began = performance.now();
    rate.push(await signedIn(pool));
    const took = performance.now() - began;
    held.push(await heldSince(origin));
    await new Promise((resolve) => setTimeout(resolve, took));
    quiet.push(await heldSince(origin));
  }
  return [
    { what: 'SRP sign-ins per second', unit: '/s', ours: rate, ceiling: bare },
    { what: `longest event loop delay during ${atOnce} sign-ins`, unit: 'ms', ours: held, ceiling: quiet },
  ];
}

export const signIns: Measurement = {
  name: 'sign-ins',
  title: 'Sign-ins',
  how: `${atOnce} concurrent sign-ins, ${rounds} interleaved rounds, client and server on the same machine. Ceilings: the server's half of the SRP arithmetic alone, in one process; the event loop delay of the same product for as long without sign-ins (its gauge does not go below 10 ms).`,
  measure,
};
