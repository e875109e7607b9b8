const WIDTH = 24;
const EVERY_MS = 100;
/** Interval when the output is not a terminal. */
const EVERY_MS_IN_LOGS = 10_000;

function spoken(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Formats the progress of a task as one line. */
export function progressLine(done: number, total: number, seconds: number): string {
  const full = total === 0 ? WIDTH : Math.floor((done / total) * WIDTH);
  const rate = seconds > 0 ? done / seconds : 0;
  const left = done === 0 || done === total ? '' : `, ${spoken((total - done) / rate)} left`;
  const spokenRate = done === 0 ? '' : `, ${rate.toFixed(rate < 10 ? 1 : 0)} a second`;
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${done} of ${total}${spokenRate}${left}`;
}

interface Screen {
  isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Creates a progress bar that redraws its line on a terminal, and prints lines at intervals elsewhere. */
export function progressBar(screen: Screen = process.stderr, now: () => number = Date.now) {
  const start = now();
  const every = screen.isTTY ? EVERY_MS : EVERY_MS_IN_LOGS;
  let last = start - (screen.isTTY ? every : 0);
  let shown = false;
  const clear = () => {
    if (shown && screen.isTTY) screen.write('\r\u001b[K');
    shown = false;
  };
  return {
    update(done: number, total: number): void {
      if (now() - last < every && done < total) return;
      last = now();
      clear();
      screen.write(`${progressLine(done, total, (last - start) / 1000)}${screen.isTTY ? '' : '\n'}`);
      shown = true;
    },
    /** Prints a line above the bar. */
    say(line: string): void {
      clear();
      screen.write(`${line}\n`);
    },
    clear,
  };
}
