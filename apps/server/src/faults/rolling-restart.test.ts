import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startBreakableDatabase } from '../testing/faults/breakable-database.ts';
import { hasHaproxy, startHaproxy } from '../testing/faults/haproxy.ts';
import { expectRecovery } from '../testing/faults/load.ts';
import { prepareFaultyProduct } from '../testing/faults/product.ts';
import { findFreePort } from '../testing/product.ts';

const product = await prepareFaultyProduct(startBreakableDatabase);
await product.endProcess();
await product.database.allowConnections(200);

/** Starts two processes and HAProxy in front of them. */
async function startTwoProcesses() {
  const [proxyPort, ...ports] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const origin = `http://127.0.0.1:${proxyPort}`;
  const start = (port: number) =>
    product.startProcess(port, { PUBLIC_URL: origin, SHUTDOWN_DELAY_SECONDS: '5' });
  const processes: Awaited<ReturnType<typeof start>>[] = [];
  onTestFinished(async () => {
    await Promise.all(processes.map((each) => each.end('SIGTERM')));
  });
  for (const port of ports) processes.push(await start(port));
  const origins = processes.map((each) => each.origin);
  const { stop } = await startHaproxy({ port: proxyPort, origins, directory: product.directory });
  onTestFinished(stop);
  return {
    origin,
    restartInTurn: async () => {
      for (const [index, port] of ports.entries()) {
        await processes[index]?.end('SIGTERM');
        processes[index] = await start(port);
        // Until the proxy sends requests to it.
        await delay(3000);
      }
    },
  };
}

it('two processes that restart in turn behind HAProxy fail no request; audio goes on', async ({ skip }) => {
  skip(!hasHaproxy, 'HAProxy is not installed');
  const { origin, restartInTurn } = await startTwoProcesses();
  const users = await product.createUsers(() => origin);
  const listener = users[0];
  await listener?.buy();
  const listening = listener?.listen();
  const { failures } = await expectRecovery(product, {
    fault: 'a rolling restart behind HAProxy',
    users: users.slice(1),
    cause: restartInTurn,
  });
  expect(failures).toEqual({});
  const played = await listening;
  expect(played?.bytes.equals(product.audio)).toBe(true);
  console.log(`The audio broke off ${played?.interruptions} times.`);
});
