import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, startNode, startProduct } from '../../e2e/support/product.ts';
import type { Figure, Measurement } from './figure.ts';

const rounds = 4;
const port = 4188;
const dataDir = join(root, '.cache/bench-start');

/** Starts something, ends it. Out: milliseconds to its first answer. */
async function timed(start: () => ReturnType<typeof startNode>): Promise<number> {
  const { startupMs, stop } = await start();
  await stop();
  return startupMs;
}

async function measure(): Promise<Figure[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    rmSync(dataDir, { recursive: true, force: true });
    bare.push(await timed(() => startNode(['bench/src/bare-start.mjs'], port)));
    cold.push(await timed(() => startProduct(port, dataDir)));
    warm.push(await timed(() => startProduct(port, dataDir)));
  }
  rmSync(dataDir, { recursive: true, force: true });
  return [
    { what: 'first start, empty data directory', unit: 'ms', ours: cold, ceiling: bare },
    { what: 'later start', unit: 'ms', ours: warm, ceiling: bare },
  ];
}

export const start: Measurement = {
  name: 'start',
  title: 'Startup time',
  how: `\`node scripts/start.mjs\` with a finished build, until \`/health/ready\` returns 200; ${rounds} interleaved rounds. Ceiling: the same Node.js starting Fastify with one route, until it responds.`,
  measure,
};
