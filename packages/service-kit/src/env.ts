import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';

/** The environment is not usable; the message lists every fault, a line each. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
  readonly problems: readonly string[];

  constructor(faults: readonly string[]) {
    super(`These settings are not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.problems = faults;
  }
}

function faultsOf(reading: () => unknown): readonly string[] {
  try {
    reading();
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
}

/** Tries several readings of settings, so that all their faults are known together. Throws one `EnvError`. */
export function checkEnv(readings: readonly (() => unknown)[]): void {
  const faults = readings.flatMap(faultsOf);
  if (faults.length > 0) throw new EnvError(faults);
}

/** Reads settings. In: a schema of all of them, the environment; empty texts count as unset. Out: the parsed settings. Throws `EnvError`. */
export function readEnv<Schema extends z.ZodMiniType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): z.output<Schema> {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = safeParse(schema, set);
  if (result.success) return result.data;
  throw new EnvError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}
