import { FUZZ_TIMEOUT_MS, isFuzzRun } from '@escucho/service-kit/testing';
import { expect, it } from 'vitest';
import { clientId, createTestPool } from '../testing/pool.ts';

const NETWORKS = 100;
/** Networks that send at once. */
const CONCURRENCY = 100;
/** Ten thousand guesses take a minute and more; `npm run bench -- fuzz` sends them. */
const guessesPerNetwork = isFuzzRun ? 100 : 3;
const total = NETWORKS * guessesPerNetwork;

const { pool } = await createTestPool();

it(
  `[IDP-03] ${total} codes guessed from ${NETWORKS} networks do not get in`,
  async () => {
    const email = 'guessed@escucho.test';
    await pool.signUp(email);
    const code = await pool.getLatestCode(email);
    const confirm = (ConfirmationCode: string, network: number) =>
      pool.call(
        'ConfirmSignUp',
        { ClientId: clientId, Username: email, ConfirmationCode },
        { remoteAddress: `192.0.2.${network}` },
      );
    const networks = Array.from({ length: NETWORKS }, (_, network) => network);
    const errors = new Map<string, number>();
    async function guess(): Promise<void> {
      for (let network = networks.pop(); network !== undefined; network = networks.pop()) {
        for (let n = 1; n <= guessesPerNetwork; n += 1) {
          // The last guess is right where dozens of wrong ones from other networks precede it.
          const isRight = n === guessesPerNetwork && network < NETWORKS / 2;
          const offset = isRight ? 0 : network * guessesPerNetwork + n;
          const guessed = String((Number(code) + offset) % 1_000_000).padStart(6, '0');
          const error = (await confirm(guessed, network)).at('__type');
          errors.set(error, (errors.get(error) ?? 0) + 1);
        }
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, guess));
    // A sign-up has 15 attempts an hour; all others are refused without a look at the code.
    expect(errors.get('CodeMismatchException')).toBeLessThanOrEqual(15);
    for (const error of errors.keys()) expect(['undefined', 'InternalErrorException']).not.toContain(error);
  },
  FUZZ_TIMEOUT_MS + total * 50,
);
