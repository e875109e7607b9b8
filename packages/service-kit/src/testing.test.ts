import { describe, expect, it } from 'vitest';
import { sendHostileRequests } from './testing.ts';

/** Sends numbers: multiples of ten are accepted and change the row, and so does `culprit`, which is refused. */
async function sendNumbers(culprit: number | undefined): Promise<number> {
  let changes: string[] = [];
  let sent = 0;
  await sendHostileRequests({
    requests: Array.from({ length: 50 }, (_, number) => number),
    async send(number) {
      sent += 1;
      if (number % 10 === 0 || number === culprit) changes.push(`row ${number}`);
      return number % 10 !== 0;
    },
    async listChanges() {
      const listed = changes;
      changes = [];
      return listed;
    },
    batchSize: 8,
  });
  return sent;
}

describe('sendHostileRequests', () => {
  it('repeats refused requests without the accepted ones where rows have changed', async () => {
    expect(await sendNumbers(undefined)).toBeGreaterThan(50);
  });

  it.each([
    ['beside accepted ones', 3],
    ['in a batch of refused ones', 45],
  ])('names the refused request that changes a row, %s', async (_, culprit) => {
    await expect(sendNumbers(culprit)).rejects.toThrow(
      new RegExp(`FUZZ_SEED=\\d+: .*It changes a row: ${culprit}, row ${culprit}$`),
    );
  });
});
