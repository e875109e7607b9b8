import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    // Each file loads the app's modules again; loading React and the other libraries takes longer than most tests.
    isolate: false,
    // It keeps the first Stripe object it has loaded, and so belongs to a file.
    server: { deps: { inline: ['@revenuecat/purchases-js', '@stripe/stripe-js'] } },
    // The rules run without a DOM, with those of the packages.
    exclude: [...configDefaults.exclude, 'src/**/model/**', 'vite/**'],
    setupFiles: ['./src/testing/setup.ts'],
    css: { include: /tokens\.css/ },
    // For busy and slow machines; a passing test does not wait so long.
    testTimeout: 120_000,
    // Dates are shown in the local time zone, which must be the same on every machine.
    env: { TZ: 'UTC' },
    restoreMocks: true,
    unstubGlobals: true,
  },
});
