import { existsSync, realpathSync } from 'node:fs';
import { constants, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type AuditEvent, recordAuditEvent, redactText, runAsAdmin, schema } from '@escucho/audit';
import { getErrorCode, getErrorMessage, openDatabase } from '@escucho/database';
import type { MediaLocation } from '@escucho/portal';
import { readVariableFiles } from '../settings/processes.ts';
import { readStoreLocation } from '../settings/stores.ts';
import { EnvError } from '../settings/variables.ts';
import { readSettings, type Settings, settingNames } from '../settings.ts';
import { describeStartError } from '../start-errors.ts';
import { connectStorage, getWorkspaceDirectory, lacksDatabase, type Storage } from '../storage.ts';

const root = join(getWorkspaceDirectory('@escucho/server'), '../..');

/** The directory that a command was typed in. npm changes to that of the product, and so does `runCommand`. */
const workingDirectory = process.env.INIT_CWD ?? process.cwd();

/** Returns the absolute path of an argument, which is relative to the directory that the command was typed in. */
export const resolvePath = (path: string): string => resolve(workingDirectory, path);

/** Variables of commands, which are no settings of the product. */
const commandVariables = ['NEW_DATABASE_URL', 'NEW_MEDIA_STORE'];

/** What a command receives: its arguments, the environment with the content of files, the settings and the database. */
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

/** Removes control characters, which a terminal would obey, from text of unknown origin. */
export const toPrintable = (line: string): string => line.replace(/\p{Cc}+/gu, ' ');

/**
 * Returns the argument of a command that has at most one.
 *
 * @throws Error for options and further arguments, which would be ignored
 */
export function getArgument(args: string[]): string | undefined {
  const [argument, unexpected] = parseArgs({ args, allowPositionals: true }).positionals;
  if (unexpected !== undefined) throw new Error(`Unexpected argument '${unexpected}'.`);
  return argument;
}

/** @throws Error for arguments of a command that has none, which would be ignored */
export function assertNoArguments(args: string[]): void {
  parseArgs({ args });
}

/** The option by which scripts confirm a command that deletes something permanently. */
export const confirmOption = { yes: { type: 'boolean', default: false } } as const;

interface Keyboard extends NodeJS.ReadableStream {
  isTTY?: boolean | undefined;
}

/**
 * Asks on a terminal whether to delete something permanently. In scripts only `--yes` confirms it.
 *
 * @throws Error where it is not confirmed
 */
export async function confirmDeletion(
  what: string,
  { yes }: { yes: boolean },
  keyboard: Keyboard = process.stdin,
): Promise<void> {
  if (yes) return;
  const question = `This deletes ${what} permanently.`;
  if (!keyboard.isTTY) throw new Error(`${question} Confirm it by --yes.`);
  process.stderr.write(`${question} Continue? [y/N] `);
  for await (const answer of createInterface({ input: keyboard })) {
    if (/^\s*y(?:es)?\s*$/i.test(answer)) return;
    break;
  }
  throw new Error('Nothing was deleted.');
}

/**
 * Parses the location of a store that is an argument.
 *
 * @param name - the option or argument that has it
 * @throws EnvError for an invalid location or environment
 */
export function readStoreArgument(
  name: string,
  text: string | undefined,
  env: NodeJS.ProcessEnv,
): MediaLocation {
  const absolute = text?.replace(/^file:(.+)/s, (_, path) => `file:${resolvePath(path)}`);
  return readStoreLocation(name, absolute, env);
}

/**
 * Parses the location of a store to read from.
 *
 * @param name - the option or argument that has it
 * @throws Error for a directory that does not exist, which would be created and have nothing
 */
export function readSourceLocation(
  name: string,
  text: string | undefined,
  env: NodeJS.ProcessEnv,
): MediaLocation {
  const location = readStoreArgument(name, text, env);
  if ('directory' in location && !existsSync(location.directory))
    throw new Error(`${name}: ${location.directory} does not exist.`);
  return location;
}

/** A command that needs neither settings nor a database. Receives its arguments and returns the text to print. */
type StandaloneCommand = (args: string[]) => Promise<string>;

/** The commands of `npm run NAME`. */
export interface CommandLine {
  name: string;
  commands: Commands;
  /** Commands whose result becomes a setting. They change nothing of an installation and are not in its audit log. */
  standaloneCommands?: Readonly<Record<string, StandaloneCommand>>;
  /** The output for `--help` and an unknown command. */
  help: string;
}

/** Returns the account of the operating system that runs the process, before `sudo` where that was used. */
function getOperatorName({ SUDO_USER }: NodeJS.ProcessEnv): string {
  if (SUDO_USER) return SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    // The account has no entry in the system's database, as in some containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The code of PostgreSQL for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

/**
 * Records an admin command in the audit log. A database that was never migrated has none, which is reported unless the
 * command failed.
 */
async function recordCommand({ connection }: Storage, event: AuditEvent): Promise<void> {
  await using db = openDatabase<object>({ connection, schema, maxConnections: 1, name: 'audit' });
  try {
    await recordAuditEvent(db, event);
  } catch (error) {
    const reason = getErrorMessage(error);
    // A database that cannot be reached is the error of the command itself. One without tables has nothing to protect.
    const isExpected =
      event.type === 'admin_command_failed' &&
      (event.details?.reason === redactText(reason) || getErrorCode(error) === UNDEFINED_TABLE);
    if (isExpected) return;
    commandLog.warn({ reason }, 'The command is not in the audit log');
  }
}

const findByName = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/**
 * Runs a command against the product's database, whether or not the product is running, and records it in the audit log.
 * A standalone command is only run.
 *
 * @param argv - the name of the command and its arguments
 * @returns the texts for standard output and standard error, and the exit code: 0, 1 (error) or 2 (usage)
 */
export async function executeCommand(
  { name: program, commands, standaloneCommands = {}, help }: CommandLine,
  [name = '', ...args]: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ output: string; error?: string; exitCode: number }> {
  const command = findByName(commands, name);
  const standaloneCommand = findByName(standaloneCommands, name);
  if (args.includes('--help') || ['', '--help'].includes(name)) return { output: help, exitCode: 0 };
  const details = { command: `${program} ${name}`, arguments: redactText(args.join(' ')) };
  try {
    if (standaloneCommand) return { output: await standaloneCommand(args), exitCode: 0 };
    if (!command) return { output: help, error: `There is no command ${name}.`, exitCode: 2 };
    const variables = readVariableFiles(env, [...settingNames, ...commandVariables]);
    const settings = readSettings(variables);
    if (lacksDatabase(settings)) {
      process.stderr.write(
        `Warning: ${settings.dataDir} has no database: an empty one is created. Check that DATA_DIR and DATABASE_URL are those of the product.\n`,
      );
    }
    const storage = await connectStorage(settings);
    try {
      return await runAsAdmin(getOperatorName(env), commandLog, async () => {
        try {
          const result = await command({ args, env: variables, settings, storage });
          const { text, failed } = typeof result === 'string' ? { text: result, failed: false } : result;
          const type = failed ? 'admin_command_failed' : 'admin_command';
          await recordCommand(storage, { type, details });
          return { output: text, exitCode: failed ? 1 : 0 };
        } catch (error) {
          const reason = redactText(getErrorMessage(error));
          await recordCommand(storage, { type: 'admin_command_failed', details: { ...details, reason } });
          throw error;
        }
      });
    } finally {
      await storage.stop();
    }
  } catch (error) {
    const message = describeStartError(error) ?? getErrorMessage(error);
    return { output: '', error: message, exitCode: 1 };
  }
}

/** Returns whether the process was started with this file, also where a symbolic link led to it. */
export const isEntryPoint = (filename: string): boolean =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === filename;

/**
 * Sets the variables of a file such as `.env`, if it exists.
 *
 * @throws EnvError where it cannot be read, such as by another account than the one of the service
 */
export function loadEnvFile(path: string): void {
  if (!existsSync(path)) return;
  try {
    process.loadEnvFile(path);
  } catch {
    // Node's own message is that there is no such file.
    throw new EnvError([`${path}: cannot be read; it must be a file that this account may read`]);
  }
}

/** Runs the command of the process's arguments, with the variables of `.env`, and sets the exit code. */
export async function runCommand(commandLine: CommandLine): Promise<void> {
  process.chdir(root);
  // An exit stops the embedded database, unlike the default action of a signal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  try {
    loadEnvFile('.env');
  } catch (error) {
    console.error(getErrorMessage(error));
    process.exit(1);
  }
  const { output, error, exitCode } = await executeCommand(commandLine, process.argv.slice(2), process.env);
  if (output !== '') console.log(output);
  process.exitCode = exitCode;
  if (error === undefined) return;
  console.error(error);
  // A failed command may have left connections open.
  process.exit();
}
