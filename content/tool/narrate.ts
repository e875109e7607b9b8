/**
 * Narrates the library. In: content/texts/*.md. Out: audio.mp3 and piece.json in content/library/<slug>.
 * Run from the project's root: `npx tsx content/tool/narrate.ts [slug…]`; a piece is narrated only if its text or this
 * tool changed since. `--check` makes no sound and says whether the library is whole.
 */
import { fileURLToPath } from 'node:url';
import { checkLibrary } from './narrate-check.ts';
import { isCurrent, narrate } from './narrate-piece.ts';
import { needPrograms } from './narrate-run.ts';
import { readSources, type SourceText } from './source.ts';

const content = fileURLToPath(new URL('..', import.meta.url));
const atOnce = 2;

/** Prints the library's faults. Out: whether it is whole. */
async function check(): Promise<boolean> {
  const { faults, pieces, bytes } = await checkLibrary(content);
  for (const fault of faults) console.error(fault);
  console.log(`${pieces} pieces, ${(bytes / 1e6).toFixed(1)} MB, ${faults.length} faults`);
  return faults.length === 0;
}

/** Narrates the asked texts, or all, and prints a line for each; one that fails does not stop the others. */
async function narrateAll(asked: readonly string[]): Promise<boolean> {
  const texts = readSources(`${content}texts`).filter(
    ({ slug }) => asked.length === 0 || asked.includes(slug),
  );
  const unknown = asked.filter((slug) => !texts.some((text) => text.slug === slug));
  if (unknown.length > 0) throw new Error(`There is no text called ${unknown.join(', ')}`);
  let done = 0;
  let failed = 0;
  let ready = false;
  const one = async (text: SourceText): Promise<string> => {
    if (await isCurrent(text, `${content}library`).catch(() => false)) return 'unchanged';
    if (!ready) await needPrograms();
    ready = true;
    const { duration, audio, sentences } = await narrate(text, `${content}library`);
    return `${sentences.length} sentences, ${duration.toFixed(1)} s, ${audio.loudness.toFixed(1)} LUFS`;
  };
  const queue = [...texts];
  const worker = async (): Promise<void> => {
    for (let text = queue.shift(); text; text = queue.shift()) {
      const result = await one(text).catch((error: Error) => {
        failed += 1;
        return `failed: ${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}`;
      });
      done += 1;
      console.log(`${done}/${texts.length} ${text.slug}: ${result}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return failed === 0;
}

const args = process.argv.slice(2);
const good = args.includes('--check') ? await check() : await narrateAll(args);
if (!good) process.exitCode = 1;
