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
  const left = done === 0 || done === total ? '' : `, ${formatDuration((total - done) / rate)} left`;
  const rateText = done === 0 ? '' : `, ${rate.toFixed(rate < 10 ? 1 : 0)} a second`;
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done} of ${total}${rateText}${left}`;
}

interface Screen {
  isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Creates a progress bar that redraws its line on a terminal and prints lines at intervals otherwise. */
export function createProgressBar(screen: Screen = process.stderr, now: () => number = Date.now) {
  const start = now();
  const intervalMs = screen.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
  let last = start - (screen.isTTY ? intervalMs : 0);
  let shown = false;
  const clear = () => {
    if (shown && screen.isTTY) screen.write('\r\u001b[K');
    shown = false;
  };
  return {
    update(done: number, total: number): void {
      if (now() - last < intervalMs && done < total) return;
      last = now();
      clear();
      screen.write(`${formatProgress(done, total, (last - start) / 1000)}${screen.isTTY ? '' : '\n'}`);
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
