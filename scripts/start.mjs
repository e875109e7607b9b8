// `npm start`: installs, builds and starts the product on one port. With --built it does not install or build: for machines
// with the packages of production only.
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, checkDisk, fail, prepare, root } from './prepare.mjs';

if (!process.argv.includes('--built')) {
  prepare();
  build();
}

process.chdir(root);
if (existsSync('.env')) process.loadEnvFile('.env');
const dataDir = resolve(process.env.DATA_DIR || './data');
try {
  mkdirSync(dataDir, { recursive: true });
} catch (error) {
  fail(`The data directory ${dataDir} cannot be created (${error.code}). Set DATA_DIR to another directory.`);
}
checkDisk(dataDir, 300);
await import(pathToFileURL(join(root, 'apps/server/dist/main.js')).href);
