// `npm start`: from a bare machine to the whole product on one port.
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, checkDisk, fail, prepare, root } from './prepare.mjs';

prepare();
build();

process.chdir(root);
if (existsSync('.env')) process.loadEnvFile('.env');
const dataDir = resolve(process.env.DATA_DIR || './data');
try {
  mkdirSync(dataDir, { recursive: true });
} catch (error) {
  fail(`The data directory ${dataDir} cannot be made (${error.code}). Name another by DATA_DIR.`);
}
checkDisk(dataDir, 300);
await import(pathToFileURL(join(root, 'apps/server/dist/main.js')).href);
