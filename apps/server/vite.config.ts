import { defineConfig } from 'vite';

/** Bundles our own TypeScript into one file for Node; packages from the registry stay where they are installed. */
export default defineConfig({
  build: {
    ssr: 'src/main.ts',
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
  },
  ssr: { target: 'node', noExternal: [/^@escucho\//] },
});
