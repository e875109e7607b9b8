import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Returns the absolute path of an argument. npm changes to the directory of the product before it runs a command. */
export const resolvePath = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path);

/**
 * Parses the arguments of the process. Prints `usage` and exits with `--help`, or with arguments that it does not know.
 *
 * @param usage - the text for the terminal
 * @param options - the options besides `--help`, as `parseArgs` takes them
 */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
) {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    console.log(usage);
    process.exit();
  }
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
