import { defineConfig } from 'vite';

/**
 * Packages that are not bundled: OpenTelemetry patches `pg` as it is loaded and reads its own files, and the AWS SDK is
 * loaded only where media are in S3.
 */
const external = [/^pg$/, /^@opentelemetry\/(?!api$)/, /^@(aws-sdk|smithy)\//];

/**
 * Bundles the server with its packages for Node. Most of a start was finding, reading and compiling more than a thousand
 * modules of packages.
 */
export default defineConfig({
  build: {
    ssr: 'src/main.ts',
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rollupOptions: { external },
  },
  ssr: { target: 'node', noExternal: true },
});
