import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { explained } from '../faults.ts';
import { readSettings, type Settings } from '../settings.ts';
import { joinStorage, type Storage } from '../storage.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A command. Returns the sentence to print at the end. */
export type Command = (asked: { args: string[]; settings: Settings; storage: Storage }) => Promise<string>;

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
    const storage = await joinStorage(settings);
    try {
      console.log(await command({ args, settings, storage }));
    } finally {
      await storage.stop();
    }
  } catch (error) {
    console.error(explained(error) ?? (error instanceof Error ? error.message : String(error)));
    process.exit(1);
  }
}
