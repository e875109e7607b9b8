import { defineConfig } from 'vitest/config';
import { storageFlags } from './scripts/prepare.mjs';

/** Tests that count calls of shared prototypes, measure time, or mock modules: they need modules of their own. */
const isolatedTests = [
  'services/identity/src/users/existence.test.ts',
  'services/portal/src/import/full-disk.test.ts',
];

/**
 * Tests that break what the product depends on, under load: the crash of a process and of the database, or those that match
 * FAULTS, for longer; and the one of the container image.
 */
const faultTests = `apps/server/src/faults/${process.env.FAULTS ?? 'crash'}.test.ts`;

/** The rules of the web app: they need no DOM. */
const webRules = ['apps/web/src/**/model/**/*.test.ts', 'apps/web/vite/**/*.test.ts'];

/**
 * Tests that render the web app as the build does. The contexts of libraries then name React's server renderer, and React
 * would warn of two renderers in every later file of the same process.
 */
const serverRendererTests = ['src/prerender/render-*.test.tsx', 'src/boot/discover-preview.test.ts'];
const webProject = { extends: './apps/web/vitest.config.ts', root: './apps/web' };
const webOptions = { execArgv: storageFlags };

/** Shard 2 of 3 of the operations that random requests are sent to is written `2/3`. */
const [fuzzShard = 1, fuzzShards = 1] = process.env.FUZZ_SHARD?.split('/').map(Number) ?? [];

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
    fuzzShard: [fuzzShard, fuzzShards] as [number, number],
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
          exclude: [...isolatedTests, 'apps/server/src/faults/**'],
        },
      },
      { test: { ...serviceOptions, name: 'services, isolated', include: isolatedTests } },
      {
        test: {
          ...serviceOptions,
          name: 'faults',
          include: [faultTests],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      { ...webProject, test: { ...webOptions, name: '@escucho/web', exclude: serverRendererTests } },
      {
        ...webProject,
        test: { ...webOptions, name: '@escucho/web, isolated', include: serverRendererTests, isolate: true },
      },
    ],
  },
});
