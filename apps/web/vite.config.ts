import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { documents, serviceWorker } from './vite/plugins.ts';

/** Where the server listens in development. */
const serverUrl = process.env.WEB_PROXY ?? 'http://127.0.0.1:3000';
const serverPaths = [
  '/.well-known',
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
  // A shim of React’s own useSyncExternalStore.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
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
          // Every file is a request, and compresses better the larger it is: modules that most pages of a kind load go into
          // one file. A group has the modules that its own import, too, unless one with a higher priority has them.
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|wouter|regexparam|zustand|zod|clsx)[\\/]/,
              priority: 2,
            },
            // What the entry imports: every page loads it.
            { name: 'shared', tags: ['$initial'], priority: 1 },
            { name: 'query', test: /node_modules[\\/]@tanstack[\\/]|query-client\.ts$/, priority: 1 },
            // What shows a text. Beside the other files of /welcome, four of a few hundred bytes would wait for a connection.
            {
              name: 'reading',
              test: /shared\/ui\/(sentences|slider)\.tsx?$/,
              priority: 1,
            },
            // Without the icons that only one module uses: they are loaded with it.
            {
              name: 'layouts',
              test: /src\/(app\/shell\/|shared\/ui\/(cover|language-switch|logo|lazy-boundary))|lucide-react(?!.*\/(copy|grip-vertical|eye|eye-off|circle|mail)\.mjs)/,
              minShareCount: 2,
              priority: 1,
            },
            { name: 'forms', test: /src\/(shared\/form|forms)\.tsx?$/, priority: 1 },
            {
              name: 'auth',
              test: /src\/app\/(layouts\/auth-layout|pages\/auth\/(auth-card|sign-(in|up)\.tsx))/,
            },
            // Opened from the pages above, or by a link in a mail.
            { name: 'codes', test: /src\/app\/pages\/auth\// },
            {
              name: 'main',
              test: /src\/(app\/(layouts\/main-layout|containers\/track-tools)|features\/player\/player)\.tsx?$/,
            },
            { name: 'discover', test: /src\/app\/pages\/discover\.tsx$/ },
            // Small modules that pages of a kind share.
            {
              name: 'lists',
              test: /src\/(shared\/(pagination|use-(debounced|serial-mutation)|ui\/(back-link|load-more|select|undo-notice)))\.tsx?$/,
            },
            { name: 'articles', test: /src\/(features\/articles\/|app\/pages\/articles)/, minShareCount: 2 },
            { name: 'playlists', test: /src\/features\/playlists\/(queries|components\/playlist-cover)/ },
            {
              name: 'settings',
              test: /src\/(features\/(profile\/queries|session\/reauthentication)|shared\/ui\/section|app\/pages\/settings\/settings-layout)/,
            },
          ],
        },
      },
    },
  },
});
