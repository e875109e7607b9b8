import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSettings, type Settings } from '../settings.ts';
import { describeStartError } from '../start-errors.ts';
import { connectStorage, type Storage } from '../storage.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** What a command receives: its arguments, the environment, the settings and the database. */
export interface CommandContext {
  args: string[];
  env: NodeJS.ProcessEnv;
  settings: Settings;
  storage: Storage;
}

/** A command. Returns the text to print at the end; `failed` makes the exit code 1. */
export type Command = (context: CommandContext) => Promise<string | { text: string; failed: boolean }>;

export type Commands = Readonly<Record<string, Command>>;

/** Logs warnings and errors of a command to standard error. */
export const commandLog = {
  info() {},
  warn: (details: object, message: string) => console.warn(message, details),
  error: (details: object, message: string) => console.error(message, details),
};

/**
 * Runs a command against the product's database, whether or not the product is running.
 *
 * @param help - the output for an unknown command
 * @param argv - the name of the command and its arguments
 * @returns the texts for standard output and standard error, and the exit code: 0, 1 (error) or 2 (usage)
 */
export async function executeCommand(
  commands: Commands,
  help: string,
  [name = '', ...args]: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ output: string; error?: string; exitCode: number }> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return { output: help, exitCode: name === '' || name === '--help' ? 0 : 2 };
  try {
    const settings = readSettings(env);
    const storage = await connectStorage(settings);
    try {
      const result = await command({ args, env, settings, storage });
      if (typeof result === 'string') return { output: result, exitCode: 0 };
      return { output: result.text, exitCode: result.failed ? 1 : 0 };
    } finally {
      await storage.stop();
    }
  } catch (error) {
    const message = describeStartError(error) ?? (error instanceof Error ? error.message : String(error));
    return { output: '', error: message, exitCode: 1 };
  }
}

/** Runs the command of the process's arguments, with the variables of `.env`, and sets the exit code. */
export async function runCommand(commands: Commands, help: string): Promise<void> {
  process.chdir(root);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { output, error, exitCode } = await executeCommand(
    commands,
    help,
    process.argv.slice(2),
    process.env,
  );
  if (output !== '') console.log(output);
  process.exitCode = exitCode;
  if (error === undefined) return;
  console.error(error);
  // A failed command may have left connections open.
  process.exit();
}
