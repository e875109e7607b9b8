import { readdirSync, readFileSync } from 'node:fs';

/** Processor time in milliseconds: of a process itself, and of all below it. */
export interface ProcessorTime {
  own: number;
  below: number;
}

// Linux counts in hundredths of a second, on every machine.
const TICK_MS = 10;

interface Process {
  pid: number;
  parent: number;
  /** Of itself and of its children that have ended. */
  spent: number;
}

/** A process as Linux lists it; none where it has just ended. */
function processOf(pid: number): Process[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
    const spent = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) * TICK_MS;
    return [{ pid, parent: fields[1] ?? 0, spent }];
  } catch {
    return [];
  }
}

function below(pid: number, all: readonly Process[]): number {
  const children = all.filter(({ parent }) => parent === pid);
  return children.reduce((sum, child) => sum + child.spent + below(child.pid, all), 0);
}

/** What a process and those it started have spent so far: here the server, and its PostgreSQL. On Linux. */
export function processorTime(pid: number): ProcessorTime {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const all = pids.flatMap((name) => processOf(Number(name)));
  return { own: all.find((one) => one.pid === pid)?.spent ?? 0, below: below(pid, all) };
}
