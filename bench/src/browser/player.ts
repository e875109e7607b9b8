import type { Measurement, OpenEnvironment, Options, Result } from '../measurement.ts';
import { CLICK_ROUNDS, measureClicks } from './player-clicks.ts';
import { measureMinutes } from './player-cpu.ts';
import { measureMemory, TRACKS_SKIPPED } from './player-memory.ts';

const DEFAULT_MINUTES = 10;

async function measure(open: OpenEnvironment, { minutes = DEFAULT_MINUTES }: Options): Promise<Result[]> {
  const environment = await open();
  return [
    ...(await measureClicks(environment)),
    ...(await measureMinutes(environment, minutes)),
    ...(await measureMemory(environment)),
  ];
}

export const player: Measurement = {
  name: 'player',
  title: 'Player',
  method: `Click to audio is measured as above, in ${CLICK_ROUNDS} interleaved rounds in new browsers. A second page of the same browser is warm. The next track was preloaded by the player. Ceiling: the same files played by a button and an audio element, with the first 256 kB of the next one fetched in advance. Processor time: half of the minutes (${DEFAULT_MINUTES} by default, \`--minutes\` changes it) on Discover, half with the text open, as counted by Chromium; a long task takes 50 ms or more, including time in which other processes ran. Memory: the JavaScript heap after a forced collection, after every 100 of ${TRACKS_SKIPPED} tracks, each skipped once it plays. A heap snapshot separates the page's own objects from compiled code and from the browser's own data, such as requests recorded for the inspector. Growth is the slope of a linear regression.`,
  measure,
};
