/**
 * Narrates the texts of content/texts: writes audio.mp3 and article.json into content/library/<slug>.
 * Run from the repository's root: `npx tsx content/tool/narrate.ts [slug…]`. Skips articles whose text and tool version
 * have not changed. With `--check` it narrates nothing and checks whether the library is complete.
 */
import { fileURLToPath } from 'node:url';
import { isCurrent, narrate } from './article.ts';
import { checkLibrary } from './library-check.ts';
import { checkPrograms, reportError } from './programs.ts';
import { readTexts, type SourceText } from './texts.ts';

const content = fileURLToPath(new URL('..', import.meta.url));
const library = `${content}library`;
const CONCURRENCY = 2;

/** Prints the errors of the library and returns whether there are none. */
async function printCheck(): Promise<boolean> {
  const { errors, articles, bytes } = await checkLibrary(content);
  for (const error of errors) console.error(error);
  console.log(`${articles} articles, ${(bytes / 1e6).toFixed(1)} MB, ${errors.length} errors`);
  return errors.length === 0;
}

async function narrateText(text: SourceText): Promise<string> {
  if (await isCurrent(text, library).catch(() => false)) return 'unchanged';
  await checkPrograms();
  const { duration, audio, sentences } = await narrate(text, library);
  return `${sentences.length} sentences, ${duration.toFixed(1)} s, ${audio.loudness.toFixed(1)} LUFS`;
}

/** Narrates the requested texts, or all, and prints a line for each; continues after one that fails. */
async function narrateAll(requested: readonly string[]): Promise<boolean> {
  const texts = readTexts(`${content}texts`, requested);
  let done = 0;
  let failed = 0;
  const queue = texts.values();
  const work = async (): Promise<void> => {
    for (const text of queue) {
      const result = await narrateText(text).catch((error: Error) => {
        failed += 1;
        return `failed: ${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}`;
      });
      done += 1;
      console.log(`${done}/${texts.length} ${text.slug}: ${result}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return failed === 0;
}

const args = process.argv.slice(2);
const succeeded = await (args.includes('--check') ? printCheck() : narrateAll(args)).catch(reportError);
if (succeeded === false) process.exitCode = 1;
