import { writeFileSync } from 'node:fs';

/** A reporter of Vitest that stores errors outside tests, which the JSON reporter omits and which fail the run too. */
export default class ErrorReporter {
  onTestRunEnd(_modules, errors) {
    const texts = errors.map(({ name, message, stack }) => stack ?? `${name}: ${message}`);
    writeFileSync(process.env.VITEST_ERRORS, JSON.stringify(texts));
  }
}
