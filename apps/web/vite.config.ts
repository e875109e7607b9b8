import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunks } from './vite/chunks.ts';
import { instant } from './vite/instant.ts';
import { lean } from './vite/lean.ts';
import { offline } from './vite/offline.ts';
import { plainImports } from './vite/plain-imports.ts';
import { sealed } from './vite/sealed.ts';

/** Where the server listens in development. */
const server = process.env.WEB_PROXY ?? 'http://127.0.0.1:3000';
const behind = [
  '/api',
  '/identity',
  '/billing',
  '/operators',
  '/media',
  '/outbox',
  '/config.json',
  '/health',
  '/metrics',
];
const words = 'src/shared/i18n/messages';
const layout = 'src/app/layouts/main-layout.tsx';

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    instant({
      pages: {
        '/discover': { modules: [layout, 'src/app/pages/discover.tsx'], calls: ['/api/catalogue/discover'] },
        '/library': { modules: [layout, 'src/app/pages/library.tsx'], words: ['library'] },
        '/articles': { modules: [layout, 'src/app/pages/articles.tsx'], words: ['articles'] },
        '/playlist': { modules: [layout, 'src/app/pages/playlist.tsx'], words: ['library'] },
        '/visual-book': { modules: [layout, 'src/app/pages/visual-book.tsx'], words: ['articles'] },
        '/settings': {
          modules: [
            layout,
            'src/app/pages/settings/settings-layout.tsx',
            'src/app/pages/settings/profile.tsx',
          ],
          words: ['auth'],
        },
      },
      auth: {
        modules: ['src/app/layouts/auth-layout.tsx', 'src/app/pages/auth/sign-in.tsx'],
        words: ['auth'],
      },
      words: {
        en: {
          auth: `${words}/en/auth.ts`,
          library: `${words}/en/library.ts`,
          articles: `${words}/en/articles.ts`,
        },
        es: {
          app: `${words}/es/app.ts`,
          auth: `${words}/es/auth.ts`,
          library: `${words}/es/library.ts`,
          articles: `${words}/es/articles.ts`,
        },
      },
      config: '/config.json',
    }),
    plainImports(),
    lean(),
    sealed(),
    // An operator's link is of no use without a network, and its page may have a policy of its own.
    offline([...behind, '/auth-external']),
  ],
  server: { proxy: Object.fromEntries(behind.map((path) => [path, server])) },
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
});
