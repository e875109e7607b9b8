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
  title: 'Player',
  how: `Click to audio is measured as above, in ${clickRounds} interleaved rounds in new browsers. A second page of the same browser is warm. The next track was preloaded by the player. Ceiling: the same files played by a button and an audio element, with the first 256 kB of the next one fetched in advance. Processor time: half of the minutes (${usualMinutes} by default, \`--minutes\` changes it) on Discover, half with the text open, as counted by Chromium; a long task takes 50 ms or more, including time in which other processes ran. Memory: the JavaScript heap after a forced collection, after every 100 of ${tracksSkipped} tracks, each skipped once it plays. A heap snapshot separates the page's own objects from compiled code and from the browser's own data, such as requests recorded for the inspector. Growth is the slope of a linear regression.`,
  measure,
};
