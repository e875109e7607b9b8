import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { documents } from './vite/documents.ts';
import { serviceWorker } from './vite/service-worker.ts';

/** Where the server listens in development. */
const serverUrl = process.env.WEB_PROXY ?? 'http://127.0.0.1:3000';
const serverPaths = [
  '/api',
  '/identity',
  '/billing',
  '/operators',
  '/media',
  '/outbox',
  '/config.json',
  '/tag-manager',
  '/health',
  '/metrics',
  '/status',
];
export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    documents(),
    // An operator's link is useless offline.
    serviceWorker([...serverPaths, '/auth-external']),
  ],
  server: { proxy: Object.fromEntries(serverPaths.map((path) => [path, serverUrl])) },
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|zustand|zod|clsx)[\\/]/,
              priority: 2,
            },
            { name: 'query', test: /node_modules[\\/]@tanstack[\\/]/, priority: 2 },
            // Modules of many pages go into one file: it compresses better, and every file is a request.
            { name: 'shared', minShareCount: 17 },
          ],
        },
      },
    },
  },
});
