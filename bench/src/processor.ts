import { readdirSync, readFileSync } from 'node:fs';

/** Processor time in milliseconds: of a process itself, of its children that have ended, and of all that run below it. */
export interface ProcessorTime {
  own: number;
  ended: number;
  below: number;
}

// Linux counts in hundredths of a second, on every machine.
const TICK_MS = 10;

interface Process {
  pid: number;
  parent: number;
  own: number;
  ended: number;
}

/** A process as Linux lists it; none where it has just ended. */
function processOf(pid: number): Process[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    const [own, ended] = [(user + system) * TICK_MS, (endedUser + endedSystem) * TICK_MS];
    return [{ pid, parent: fields[1] ?? 0, own, ended }];
  } catch {
    return [];
  }
}

function below(pid: number, all: readonly Process[]): number {
  const children = all.filter(({ parent }) => parent === pid);
  return children.reduce((sum, child) => sum + child.own + child.ended + below(child.pid, all), 0);
}

/** What a process and those it started have spent so far, for example a server and its PostgreSQL. On Linux. */
export function processorTime(pid: number): ProcessorTime {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const all = pids.flatMap((name) => processOf(Number(name)));
  const { own = 0, ended = 0 } = all.find((one) => one.pid === pid) ?? {};
  return { own, ended, below: below(pid, all) };
}
