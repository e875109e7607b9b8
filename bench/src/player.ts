import type { Figure, Measurement, OpenBench, Options } from './figure.ts';
import { clickRounds, measureClicks } from './player-clicks.ts';
import { measureMemory, tracksSkipped } from './player-memory.ts';
import { measureMinutes } from './player-minutes.ts';

const usualMinutes = 10;

async function measure(open: OpenBench, { minutes = usualMinutes }: Options): Promise<Figure[]> {
  const bench = await open();
  return [
    ...(await measureClicks(bench)),
    ...(await measureMinutes(bench, minutes)),
    ...(await measureMemory(bench)),
  ];
}

export const player: Measurement = {
  name: 'player',
  title: 'The player',
  how: `From a click to sound, as above: ${clickRounds} interleaved rounds in new browsers; a second page of the same browser is warm, and the next track was made ready by the player. Ceiling: the same files by a button and an audio element, the next one's first 256 kB fetched before. Work: half of the minutes (${usualMinutes} unless \`--minutes\` says otherwise) on Discover, half with the text open, by Chromium's own count; a long task takes 50 ms or more, whoever kept the processor busy. Memory: the JavaScript heap after a forced collection, every 100 of ${tracksSkipped} tracks skipped through, each once it sounds; a snapshot tells the page's own objects from code that the browser compiled meanwhile and from what it keeps itself, as of requests for whoever inspects the page; growth is the slope of a line through the figures.`,
  measure,
};
