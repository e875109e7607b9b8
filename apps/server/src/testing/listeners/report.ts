import type { Sample } from './processes.ts';
import type { LoadReport } from './recorder.ts';
import type { Verification } from './verification.ts';

/** What listeners notice of a fault, in milliseconds. */
export interface Outage {
  /** The longest time in which no position of any listener was acknowledged. */
  gapMs: number;
  /** The longest wait of a listener for the acknowledgement of a position. */
  longestWaitMs: number;
}

/** What the test `listeners` measures; `npm run bench -- cluster` makes a table of it. */
export interface ListenersReport {
  listeners: number;
  seconds: number;
  report: LoadReport;
  positions: Omit<Verification, 'lost'> & { lost: number };
  purchases: number;
  /** What the database wrote to its log of changes, which goes to the standbys and the archive. */
  walBytes: number;
  /** Of the table of positions, with its indexes. */
  bytesPerPosition: number;
  processKills: (Outage & { awayMs: number })[];
  primaryKills: Outage[];
  /** Of process A, which is never killed. */
  samples: Sample[];
  /** Processor time by program. */
  cpuMs: Record<string, number>;
  /** Delay of the event loop of the users' process. */
  eventLoopP99Ms: number;
}

/** Returns what listeners noticed in the time after a fault. */
export function findOutage(
  { startedAt, bucketMs, ...report }: LoadReport,
  at: number,
  withinMs: number,
): Outage {
  const [from, to] = [at, at + withinMs].map((time) => Math.floor((time - startedAt) / bucketMs));
  const gaps = report.acknowledged
    .slice(from, to)
    .map((count) => (count === 0 ? '0' : '1'))
    .join('')
    .split('1');
  return {
    gapMs: Math.max(...gaps.map(({ length }) => length)) * bucketMs,
    longestWaitMs: Math.max(0, ...report.longestWaits.slice(from, to)),
  };
}
