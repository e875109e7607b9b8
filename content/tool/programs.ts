import { execFile } from 'node:child_process';

const packages = 'Debian packages needed: libttspico-utils (in non-free; gives pico2wave), sox, ffmpeg';

/**
 * Runs a program and returns its output.
 *
 * @throws Error that names the Debian packages when the program is missing, or its error output when it fails.
 */
export function run(program: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 64 << 20, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (!error) resolve({ stdout, stderr });
      else if (error.code === 'ENOENT') reject(new Error(`${program} is not installed. ${packages}`));
      else reject(new Error(`${program} ${args.join(' ')}\n${stderr.trim() || error.message}`));
    });
  });
}

/** Throws an Error that names the Debian packages when one of the programs that narrate is missing. */
export async function checkPrograms(): Promise<void> {
  await run('sox', ['--version']);
  await run('ffmpeg', ['-version']);
  // pico2wave exits with an error when asked for help; only its absence matters here.
  await run('pico2wave', ['--usage']).catch((error: Error) => {
    if (error.message.includes('not installed')) throw error;
  });
}
