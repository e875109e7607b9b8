import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          // Pure functions: files of one process can share their modules.
          isolate: false,
          include: [
            'packages/{contracts,purchases,service-kit}/src/**/*.test.ts',
            'content/tool/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'services',
          include: [
            'packages/{database,jobs}/src/**/*.test.ts',
            'services/*/src/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
          ],
          globalSetup: ['./vitest.setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // A busy machine may take its time; a passing test does not.
          expect: { poll: { timeout: 10_000 } },
          // Random requests to each operation; `npm run bench -- fuzz` sends ten thousand.
          provide: { fuzz: Number(process.env.FUZZ ?? 40) },
        },
      },
      'apps/web',
    ],
  },
});
