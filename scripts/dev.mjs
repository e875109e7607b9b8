// `npm run dev`: server and web app, both reloading on change. Open the URL of the web app.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { getToolPath, loadEnvFile, prepare, root } from './prepare.mjs';

prepare();
process.chdir(root);
loadEnvFile('.env');
// Vite's dev server forwards API requests to the server.
process.env.WEB_PROXY ??= `http://127.0.0.1:${process.env.PORT || 3000}`;
const children = [
  spawn(getToolPath('tsx'), ['watch', '--clear-screen=false', 'apps/server/src/main.ts'], {
    cwd: root,
    stdio: 'inherit',
  }),
  spawn(getToolPath('vite'), ['--clearScreen', 'false'], { cwd: join(root, 'apps/web'), stdio: 'inherit' }),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
