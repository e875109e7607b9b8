import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { LoadCommand, LoadEvent, LoadOptions } from './load-process.ts';

type Stopped = Extract<LoadEvent, { name: 'stopped' }>;

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

async function waitForEvent(child: ChildProcess, name: LoadEvent['name']): Promise<LoadEvent> {
  for await (const [event] of on(child, 'message', { close: ['exit'] }))
    if (event.name === name) return event;
  throw new Error(`The process of the users ended with code ${child.exitCode}.`);
}

/** Starts the users in a process of their own, and waits until all of them play. */
export async function startUsers(options: LoadOptions) {
  const child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), {
    cwd: root,
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  onTestFinished(() => void child.kill());
  const send = (command: LoadCommand) => void child.send(command);
  send({ name: 'start', options });
  await waitForEvent(child, 'playing');
  return {
    pid: child.pid ?? 0,
    startMeasuring: () => send({ name: 'measure' }),
    setFailover: (value: boolean) => send({ name: 'failover', value }),
    /** Stops playing, waits until every queued position is acknowledged, and ends the process. */
    async stop(): Promise<Stopped> {
      send({ name: 'stop' });
      const event = await waitForEvent(child, 'stopped');
      child.kill();
      if (event.name !== 'stopped') throw new Error('unreachable');
      return event;
    },
  };
}
