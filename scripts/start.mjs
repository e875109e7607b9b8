// `npm start`: installs, builds and starts the product on one port. With --built it does not install or build: for machines
// with the packages of production only.
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, checkDisk, fail, loadEnvFile, prepare, root } from './prepare.mjs';

const help = `npm start [-- OPTION…]

Installs, builds and runs Escucho at http://localhost:3000. Ctrl+C stops it.

  --built  neither install nor build
  --help   print this help

Environment variables, also of a file .env, configure it, such as PORT, DATA_DIR and PUBLIC_URL: see .env.example.`;

/** Returns the options of the command line. Exits for others, which would be ignored. */
function readOptions() {
  try {
    return parseArgs({ options: { built: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return fail(`${error.message}\n\n${help}`);
  }
}

const options = readOptions();
if (options.help) {
  console.log(help);
  process.exit();
}
if (!options.built) {
  prepare();
  build();
}

process.chdir(root);
loadEnvFile('.env');
const dataDir = resolve(process.env.DATA_DIR || './data');
try {
  mkdirSync(dataDir, { recursive: true });
} catch (error) {
  fail(`The data directory ${dataDir} cannot be created (${error.code}). Set DATA_DIR to another directory.`);
}
checkDisk(dataDir, 300);
const bundle = join(root, 'apps/server/dist');
// Node 22 and newer store the compiled code for the next start, unless the directory is read-only. A build deletes it.
module.enableCompileCache?.(join(bundle, 'compiled'));
await import(pathToFileURL(join(bundle, 'main.js')).href);
