import { defineConfig } from 'vite';

/**
 * Packages that are not bundled: OpenTelemetry patches `pg` as it is loaded and reads its own files, the AWS SDK is loaded
 * only where media are in S3, and sharp is a native library. deploy/image/copy-product.mjs copies these to the image.
 */
const external = [/^pg$/, /^@opentelemetry\/(?!api$)/, /^@(aws-sdk|smithy)\//, /^sharp$/];

/**
 * Bundles the server and the commands with their packages for Node. Most of a start was finding, reading and compiling
 * more than a thousand modules of packages.
 */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: [
        'src/main.ts',
        ...['audit', 'billing', 'content', 'db', 'identity'].map((name) => `src/cli/${name}.ts`),
      ],
      external,
      // Node keeps the source in memory, of which the documentation of packages is a seventh. One character outside
      // Latin-1 makes each character of its file take two bytes.
      output: { comments: { legal: true, annotation: false, jsdoc: false }, charset: 'ascii' },
    },
  },
  ssr: { target: 'node', noExternal: true },
});
