import { readdirSync, readFileSync } from 'node:fs';

/** CPU time in milliseconds: of a process, of its children that have exited, and of its running descendants. */
export interface CpuTime {
  own: number;
  endedChildren: number;
  descendants: number;
}

// USER_HZ is 100 on all Linux platforms.
const TICK_MS = 10;

interface Process {
  pid: number;
  parentPid: number;
  own: number;
  endedChildren: number;
}

/** Reads a process from /proc, with times in milliseconds. Returns undefined if it has just exited. */
export function readProcess(pid: number): Process | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    const [own, endedChildren] = [(user + system) * TICK_MS, (endedUser + endedSystem) * TICK_MS];
    return { pid, parentPid: fields[1] ?? 0, own, endedChildren };
  } catch {
    return undefined;
  }
}

function sumDescendants(pid: number, all: readonly Process[]): number {
  const children = all.filter(({ parentPid }) => parentPid === pid);
  return children.reduce(
    (sum, child) => sum + child.own + child.endedChildren + sumDescendants(child.pid, all),
    0,
  );
}

/** Returns the CPU time of a process and its descendants, such as a server and its PostgreSQL. Linux only. */
export function readCpuTime(pid: number): CpuTime {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const all = pids.flatMap((name) => readProcess(Number(name)) ?? []);
  const { own = 0, endedChildren = 0 } = all.find((one) => one.pid === pid) ?? {};
  return { own, endedChildren, descendants: sumDescendants(pid, all) };
}
