import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bootScript } from './vite/boot-script.ts';
import { cspHashes } from './vite/csp-hashes.ts';
import { prerender } from './vite/prerender.ts';
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
];
const layout = 'src/app/layouts/main-layout.tsx';
const getMessageFiles = (language: string, ...namespaces: string[]) =>
  Object.fromEntries(namespaces.map((name) => [name, `src/shared/i18n/messages/${language}/${name}.ts`]));

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    bootScript({
      pages: {
        '/discover': { modules: [layout, 'src/app/pages/discover.tsx'], calls: ['/api/catalogue/discover'] },
        '/library': { modules: [layout, 'src/app/pages/library.tsx'], namespaces: ['library'] },
        '/articles': { modules: [layout, 'src/app/pages/articles.tsx'], namespaces: ['articles'] },
        '/playlist': { modules: [layout, 'src/app/pages/playlist.tsx'], namespaces: ['library'] },
        '/visual-book': { modules: [layout, 'src/app/pages/visual-book.tsx'], namespaces: ['articles'] },
        '/settings': {
          modules: [
            layout,
            'src/app/pages/settings/settings-layout.tsx',
            'src/app/pages/settings/profile.tsx',
          ],
          namespaces: ['auth'],
        },
      },
      auth: {
        modules: ['src/app/layouts/auth-layout.tsx', 'src/app/pages/auth/sign-in.tsx'],
        namespaces: ['auth'],
      },
      messages: {
        en: getMessageFiles('en', 'articles', 'auth', 'library'),
        es: getMessageFiles('es', 'app', 'articles', 'auth', 'library'),
      },
      config: '/config.json',
    }),
    cspHashes(),
    prerender(),
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
            { name: 'shared', minShareCount: 14 },
          ],
        },
      },
    },
  },
});
