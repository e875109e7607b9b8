import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Adds a function that runs at the end of the test that is running, or else of the file or `describe`; the last one added
 * runs first. Vitest ignores `afterAll` in a test.
 */
export function addCleanup(cleanup: () => unknown): void {
  const add = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  add(async () => {
    await cleanup();
  });
}
