import { execFile } from 'node:child_process';

/** The Debian packages of programs whose package has another name. */
const packages: Readonly<Record<string, string>> = { pico2wave: 'libttspico-utils (in non-free)' };

/**
 * Runs a program and returns its output.
 *
 * @throws Error that names the Debian package when the program is missing, or its error output when it fails.
 */
export function run(program: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 64 << 20, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (!error) resolve({ stdout, stderr });
      else if (error.code === 'ENOENT')
        reject(
          new Error(
            `${program} is not installed. Install the Debian package ${packages[program] ?? program}.`,
          ),
        );
      else reject(new Error(`${program} ${args.join(' ')}\n${stderr.trim() || error.message}`));
    });
  });
}

/** Prints the reason why a tool failed, and makes the exit code 1. */
export function reportError({ message }: Error): void {
  console.error(message);
  process.exitCode = 1;
}

/** Throws an Error that names the Debian package when one of the programs that narrate is missing. */
export async function checkPrograms(): Promise<void> {
  await run('sox', ['--version']);
  await run('ffmpeg', ['-version']);
  // pico2wave exits with an error when asked for help; only its absence matters here.
  await run('pico2wave', ['--usage']).catch((error: Error) => {
    if (error.message.includes('not installed')) throw error;
  });
}
