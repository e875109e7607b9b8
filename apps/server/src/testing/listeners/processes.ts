import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readProcess } from '../cpu-time.ts';

const SAMPLE_INTERVAL_MS = 5000;

/** Memory and sockets of a process at a moment, in bytes and numbers. */
export interface Sample {
  /** Milliseconds since the first sample. */
  at: number;
  resident: number;
  heap: number;
  sockets: number;
  /** Requests that the process has served. */
  requests: number;
}

const readOr = <Result>(read: () => Result, otherwise: Result): Result => {
  try {
    return read();
  } catch {
    // The process has just ended.
    return otherwise;
  }
};

const readText = (path: string) => readOr(() => readFileSync(path, 'utf8'), '');

/** Returns the program of a process that belongs to a directory: it runs there, or has an argument with its path. */
function findProgram(pid: number, directory: string): string | undefined {
  const command = readText(`/proc/${pid}/cmdline`);
  const belongs =
    command.includes(directory) || readOr(() => readlinkSync(`/proc/${pid}/cwd`), '').startsWith(directory);
  return belongs ? readText(`/proc/${pid}/comm`).trim() : undefined;
}

const readPids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

const sumMetric = (text: string, name: string): number =>
  [...text.matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );

async function readSample(origin: string, pid: number, startedAt: number): Promise<Sample> {
  const response = await fetch(`${origin}/metrics`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const descriptors = readOr(() => readdirSync(`/proc/${pid}/fd`), []);
  return {
    at: Date.now() - startedAt,
    resident: sumMetric(text, 'process_resident_memory_bytes'),
    heap: sumMetric(text, 'nodejs_heap_size_used_bytes'),
    sockets: descriptors.filter((name) =>
      readOr(() => readlinkSync(`/proc/${pid}/fd/${name}`), '').startsWith('socket:'),
    ).length,
    requests: sumMetric(text, 'http_request_duration_seconds_count'),
  };
}

/**
 * Samples a process of the product, and the processor time of everything that belongs to the directory of the test, until
 * stopped. Of a process that ends, at most the time since the last sample is missing.
 *
 * @param options.named - processes by what they are reported as
 */
export function startSampling(options: {
  origin: string;
  pid: number;
  directory: string;
  named: () => Readonly<Record<string, number | undefined>>;
}) {
  const { origin, pid, directory, named } = options;
  const startedAt = Date.now();
  const samples: Sample[] = [];
  const cpuMs: Record<string, number> = {};
  let before = new Map<number, number>();

  function sampleCpu(): void {
    const names = new Map(Object.entries(named()).map(([name, one]) => [one, name]));
    const isFirst = before.size === 0;
    const now = new Map<number, number>();
    for (const one of readPids()) {
      const program = names.get(one) ?? findProgram(one, directory);
      if (program === undefined) continue;
      const time = readProcess(one)?.own ?? 0;
      now.set(one, time);
      const since = isFirst ? time : (before.get(one) ?? 0);
      cpuMs[program] = (cpuMs[program] ?? 0) + Math.max(time - since, 0);
    }
    before = now;
  }

  async function sample(): Promise<void> {
    sampleCpu();
    // A sample that fails is missing in the report: /metrics needs the database.
    await readSample(origin, pid, startedAt).then(
      (one) => samples.push(one),
      () => undefined,
    );
  }
  void sample();
  const timer = setInterval(() => void sample(), SAMPLE_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await sample();
    return { samples, cpuMs };
  };
}
