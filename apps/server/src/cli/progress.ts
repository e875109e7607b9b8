const WIDTH = 24;
const TERMINAL_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 10_000;

function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Formats the progress of a task as one line. */
export function formatProgress(done: number, total: number, seconds: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((done / total) * WIDTH);
  const rate = seconds > 0 ? done / seconds : 0;
  const left = rate === 0 || done === total ? '' : `, ${formatDuration((total - done) / rate)} left`;
  const rateText = rate === 0 ? '' : `, ${rate.toFixed(rate < 10 ? 1 : 0)} a second`;
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done} of ${total}${rateText}${left}`;
}

const toMegabytes = (bytes: number): number => Number((bytes / 1e6).toFixed(1));

const formatMegabytes = (done: number, total: number, seconds: number): string =>
  formatProgress(toMegabytes(done), toMegabytes(total), seconds).replace(/ of [\d.]+/, '$& MB');

interface Screen {
  isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Creates a progress bar that redraws its line on a terminal and prints lines at intervals otherwise. */
export function createProgressBar(
  screen: Screen = process.stderr,
  now: () => number = Date.now,
  format = formatProgress,
) {
  const start = now();
  const intervalMs = screen.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
  let last = start - (screen.isTTY ? intervalMs : 0);
  let shown = false;
  let isComplete = false;
  const clear = () => {
    if (shown && screen.isTTY) screen.write('\r\u001b[K');
    shown = false;
  };
  return {
    update(done: number, total: number): void {
      if (isComplete || (now() - last < intervalMs && done < total)) return;
      isComplete = done >= total;
      last = now();
      clear();
      screen.write(`${format(done, total, (last - start) / 1000)}${screen.isTTY ? '' : '\n'}`);
      shown = true;
    },
    /** Prints a line above the bar. */
    print(line: string): void {
      clear();
      screen.write(`${line}\n`);
    },
    clear,
  };
}

/** Creates the progress bars of a command that reads bytes in steps, one after the other. */
export function createStepProgress(screen: Screen = process.stderr, now?: () => number) {
  let clear = () => {};
  return {
    /** Prints what begins, and returns the function that shows how many bytes of how many are done. */
    start(step: string): (done: number, total: number) => void {
      clear();
      screen.write(`${step} …\n`);
      const bar = createProgressBar(screen, now, formatMegabytes);
      clear = bar.clear;
      return bar.update;
    },
    clear: () => clear(),
  };
}
