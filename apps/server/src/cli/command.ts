import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSettings, type Settings } from '../settings.ts';
import { describeStartError } from '../start-errors.ts';
import { connectStorage, type Storage } from '../storage.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** What a command receives: its arguments, the settings and the database. */
export interface CommandContext {
  args: string[];
  settings: Settings;
  storage: Storage;
}

/** A command. Returns the text to print at the end. */
export type Command = (context: CommandContext) => Promise<string>;

/** Logs warnings and errors of a command to standard error. */
export const commandLog = {
  info() {},
  warn: (details: object, message: string) => console.warn(message, details),
  error: (details: object, message: string) => console.error(message, details),
};

/**
 * Runs a command against the product's database, whether or not the product is running. Exit code 0, 1 (error) or 2
 * (usage).
 *
 * @param help - printed for an unknown command
 */
export async function runCommand(commands: Readonly<Record<string, Command>>, help: string): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    console.log(help);
    process.exit(name === '' || name === '--help' ? 0 : 2);
  }
  try {
    process.chdir(root);
    if (existsSync('.env')) process.loadEnvFile('.env');
    const settings = readSettings(process.env);
    const storage = await connectStorage(settings);
    try {
      console.log(await command({ args, settings, storage }));
    } finally {
      await storage.stop();
    }
  } catch (error) {
    console.error(describeStartError(error) ?? (error instanceof Error ? error.message : String(error)));
    process.exit(1);
  }
}
