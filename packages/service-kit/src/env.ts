import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';

/** Invalid environment variables; the message lists every problem on a line of its own. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`These settings are not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

function findProblems(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
}

/**
 * Calls functions that read settings, so that all problems are reported together.
 *
 * @throws EnvError with the problems of all of them
 */
export function checkEnv(settings: readonly (() => unknown)[]): void {
  const problems = settings.flatMap(findProblems);
  if (problems.length > 0) throw new EnvError(problems);
}

/**
 * Parses environment variables by a schema; empty ones count as unset.
 *
 * @throws EnvError
 */
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
