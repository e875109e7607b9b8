import { describe, expect, it } from 'vitest';
import { createProgressBar, createStepProgress, formatProgress } from './progress.ts';

describe('[CAT-10] the progress of an import', () => {
  it.each([
    [0, 40, 0, '[........................] 0 of 40'],
    [10, 40, 5, '[######..................] 10 of 40, 2.0 a second, 15 s left'],
    [1, 400, 2, '[........................] 1 of 400, 0.5 a second, 13 min left'],
    [1, 90_000, 1, '[........................] 1 of 90000, 1.0 a second, 25.0 h left'],
    [400, 400, 10, '[########################] 400 of 400, 40 a second'],
    [0, 0, 1, '[########################] 0 of 0'],
  ])('%d of %d after %d s', (done, total, seconds, line) => {
    expect(formatProgress(done, total, seconds)).toBe(line);
  });

  it('redraws its line on a terminal at most ten times a second', () => {
    let [now, written] = [0, ''];
    const bar = createProgressBar({ isTTY: true, write: (text) => (written += text) }, () => now);
    for (let done = 1; done <= 100; done += 1) {
      now += 10;
      bar.update(done, 200);
    }
    bar.print('bad.mp3: is no audio');
    expect(written.match(/ of 200/g)).toHaveLength(10);
    expect(written).not.toMatch(/\n.*\n/);
    expect(written).toMatch(/\[Kbad\.mp3: is no audio\n$/);
  });

  it('prints a line every ten seconds in a log, and one at the end', () => {
    let [now, written] = [0, ''];
    const bar = createProgressBar({ write: (text) => (written += text) }, () => now);
    for (let done = 1; done <= 25; done += 1) {
      now += 1000;
      bar.update(done, 25);
    }
    expect(written.trim().split('\n')).toEqual([
      '[#########...............] 10 of 25, 1.0 a second, 15 s left',
      '[###################.....] 20 of 25, 1.0 a second, 5 s left',
      '[########################] 25 of 25, 1.0 a second',
    ]);
  });
});

it('shows the steps of a command one after the other, in megabytes', () => {
  let [now, written] = [0, ''];
  const steps = createStepProgress({ isTTY: true, write: (text) => (written += text) }, () => now);
  const report = steps.start('Copying');
  now += 2000;
  report(5_000_000, 10_000_000);
  steps.start('Verifying')(250_000, 4_000_000);
  steps.clear();
  expect(written.split('\n')).toEqual([
    'Copying …',
    '[############............] 5 of 10 MB, 2.5 a second, 2 s left\r\u001b[KVerifying …',
    '[#.......................] 0.3 of 4 MB\r\u001b[K',
  ]);
});
