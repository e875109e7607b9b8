/** What users do, each with its statistics. */
export const operations = ['position', 'audio', 'audio link', 'browsing', 'search', 'tokens'] as const;
export type Operation = (typeof operations)[number];

const BUCKET_MS = 100;

/** Percentiles of times in milliseconds. */
export interface Times {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

/** Of all operations of a kind. Times are what users wait, with the repetitions that the web app makes. */
export interface OperationReport {
  succeeded: number;
  /** Succeeded after a repetition. */
  repeated: number;
  /** Given up, as the web app does: the user sees an error. */
  givenUp: number;
  /** Failed requests, by status or by what happened instead. */
  failures: Record<string, number>;
  normal: Times;
  /** While a primary was being replaced and its machine came back. */
  failover: Times;
}

function toTimes(values: readonly number[]): Times {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Creates a recorder of the operations of all listeners. */
export function createRecorder() {
  let startedAt = Date.now();
  let isFailover = false;
  const createEntry = () => ({
    repeated: 0,
    givenUp: 0,
    failures: {} as Record<string, number>,
    normal: [] as number[],
    failover: [] as number[],
  });
  const createEntries = () => new Map(operations.map((operation) => [operation, createEntry()]));
  let entries = createEntries();
  /** Acknowledged positions per tenth of a second, and the longest wait for one of them. */
  let acknowledged: number[] = [];
  let longestWaits: number[] = [];
  let [played, stalled, longestStall] = [0, 0, 0];
  const entryOf = (operation: Operation) => entries.get(operation) ?? createEntry();

  return {
    /** Forgets everything: the measurement starts. */
    reset() {
      startedAt = Date.now();
      entries = createEntries();
      [acknowledged, longestWaits] = [[], []];
      [played, stalled, longestStall] = [0, 0, 0];
    },
    setFailover(value: boolean) {
      isFailover = value;
    },
    succeed(operation: Operation, milliseconds: number, attempts: number) {
      const entry = entryOf(operation);
      (isFailover ? entry.failover : entry.normal).push(milliseconds);
      if (attempts > 1) entry.repeated += 1;
      if (operation !== 'position') return;
      const bucket = Math.floor((Date.now() - startedAt) / BUCKET_MS);
      acknowledged[bucket] = (acknowledged[bucket] ?? 0) + 1;
      longestWaits[bucket] = Math.max(longestWaits[bucket] ?? 0, milliseconds);
    },
    fail(operation: Operation, name: string) {
      const { failures } = entryOf(operation);
      failures[name] = (failures[name] ?? 0) + 1;
    },
    giveUp(operation: Operation) {
      entryOf(operation).givenUp += 1;
    },
    /** Counts a second of a listener; `stall` is for how many seconds the audio has been missing. */
    count(stall: number) {
      if (stall === 0) played += 1;
      else stalled += 1;
      longestStall = Math.max(longestStall, stall);
    },
    report() {
      const length = Math.ceil((Date.now() - startedAt) / BUCKET_MS);
      const fill = (values: readonly number[]) => Array.from({ length }, (_, index) => values[index] ?? 0);
      return {
        startedAt,
        bucketMs: BUCKET_MS,
        acknowledged: fill(acknowledged),
        longestWaits: fill(longestWaits),
        audio: { playedSeconds: played, stalledSeconds: stalled, longestStall },
        operations: Object.fromEntries(
          [...entries].map(([operation, { repeated, givenUp, failures, normal, failover }]) => [
            operation,
            {
              succeeded: normal.length + failover.length,
              repeated,
              givenUp,
              failures,
              normal: toTimes(normal),
              failover: toTimes(failover),
            } satisfies OperationReport,
          ]),
        ),
      };
    },
  };
}

export type Recorder = ReturnType<typeof createRecorder>;
export type LoadReport = ReturnType<Recorder['report']>;
