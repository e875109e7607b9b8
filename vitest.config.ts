import { defineConfig } from 'vitest/config';

/** Tests that count calls of shared prototypes, or measure time: they need modules of their own. */
const isolatedTests = ['services/identity/src/users/existence.test.ts'];

/** Tests that break what the product depends on, under load. `npm run test:faults` runs all of them, with longer faults. */
const faultTests = ['apps/server/src/faults/**/*.test.ts'];
const isLong = process.env.FAULTS === 'long';

/** The rules of the web app: they need no DOM. */
const webRules = ['apps/web/src/**/model/**/*.test.ts', 'apps/web/vite/**/*.test.ts'];

/** Part 2 of 3 of the operations that random requests are sent to is written `2/3`. */
const [fuzzPart = 1, fuzzParts = 1] = process.env.FUZZ_PART?.split('/').map(Number) ?? [];

const serviceOptions = {
  globalSetup: ['./vitest.setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // For busy and slow machines; a passing test does not wait so long.
  expect: { poll: { timeout: 30_000 } },
  // Random requests to each operation; `npm run bench -- fuzz` sends ten thousand.
  provide: {
    fuzz: Number(process.env.FUZZ ?? 40),
    fuzzSeed: Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31)),
    fuzzPart: [fuzzPart, fuzzParts] as [number, number],
  },
};

export default defineConfig({
  test: {
    // One worker for each core; the default leaves one idle, which is half of a small machine.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'rules',
          // Files of one process share their modules, which saves most of the time of short tests.
          isolate: false,
          include: [
            'packages/{contracts,purchases}/src/**/*.test.ts',
            'content/tool/**/*.test.ts',
            'scripts/**/*.test.ts',
            ...webRules,
          ],
        },
      },
      {
        test: {
          ...serviceOptions,
          name: 'services',
          isolate: false,
          include: [
            'packages/{audit,database,jobs,service-kit}/src/**/*.test.ts',
            'services/*/src/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
          ],
          exclude: [...isolatedTests, ...faultTests],
        },
      },
      { test: { ...serviceOptions, name: 'services, isolated', include: isolatedTests } },
      {
        test: {
          ...serviceOptions,
          name: 'faults',
          include: isLong ? faultTests : ['apps/server/src/faults/crash.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      'apps/web',
    ],
  },
});
