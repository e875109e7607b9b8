/** Runs the programs that narration needs, and says plainly which are not installed. */
import { execFile } from 'node:child_process';

const packages = 'Debian packages needed: libttspico-utils (in non-free; gives pico2wave), sox, ffmpeg';

/** In: a program and its arguments. Out: what it wrote to stdout and stderr; throws when it is missing or fails. */
export function run(program: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 64 << 20, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (!error) resolve({ stdout, stderr });
      else if (error.code === 'ENOENT') reject(new Error(`${program} is not installed. ${packages}`));
      else reject(new Error(`${program} ${args.join(' ')}\n${stderr.trim() || error.message}`));
    });
  });
}

/** Throws, naming the packages, unless every program of the narration answers. */
export async function needPrograms(): Promise<void> {
  await run('sox', ['--version']);
  await run('ffmpeg', ['-version']);
  // pico2wave ends with an error when asked for help; only its absence matters here.
  await run('pico2wave', ['--usage']).catch((error: Error) => {
    if (error.message.includes('not installed')) throw error;
  });
}
