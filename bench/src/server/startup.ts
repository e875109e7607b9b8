import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, startNode, startProduct } from '../../../e2e/support/product.ts';
import type { Measurement, Result } from '../measurement.ts';

const ROUNDS = 4;
const PORT = 4188;
const dataDir = join(root, '.cache/bench-start');

/** Returns the milliseconds to the first response. */
async function measureStart(start: () => ReturnType<typeof startNode>): Promise<number> {
  const { startupMs, stop } = await start();
  await stop();
  return startupMs;
}

async function measure(): Promise<Result[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rmSync(dataDir, { recursive: true, force: true });
    bare.push(await measureStart(() => startNode(['bench/src/server/bare-fastify.mjs'], PORT)));
    cold.push(await measureStart(() => startProduct(PORT, dataDir)));
    warm.push(await measureStart(() => startProduct(PORT, dataDir)));
  }
  rmSync(dataDir, { recursive: true, force: true });
  return [
    { label: 'first start, empty data directory', unit: 'ms', values: cold, ceiling: bare },
    { label: 'later start', unit: 'ms', values: warm, ceiling: bare },
  ];
}

export const start: Measurement = {
  name: 'start',
  title: 'Startup time',
  method: `\`node scripts/start.mjs\` with a finished build, until \`/health/ready\` returns 200; ${ROUNDS} interleaved rounds. Ceiling: the same Node.js starting Fastify with one route, until it responds.`,
  measure,
};
