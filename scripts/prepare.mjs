// Checks Node, installs packages and builds. Runs before packages are installed, so it imports Node's modules only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Returns the path of a tool of the packages. */
export const getToolPath = (name) => join(root, 'node_modules', '.bin', name);

/** Prints a message and exits with 1. */
export function fail(message) {
  console.error(`\n  ${message}\n`);
  process.exit(1);
}

/** Sets the variables of a file such as `.env`, if it exists. Exits if it cannot be read. */
export function loadEnvFile(path) {
  if (!existsSync(path)) return;
  try {
    process.loadEnvFile(path);
  } catch {
    // Node's own message is that there is no such file.
    fail(`${path} cannot be read. It must be a file that this account may read.`);
  }
}

/** Runs a command with its output shown. Returns its exit code. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  if (error) throw error;
  return status ?? 1;
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const good = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (!good) fail(`Escucho needs Node 20.19, 22.12 or newer; this is ${process.versions.node}.`);
}

/** Exits if a directory's disk has less free space than this. */
export function checkDisk(directory, megabytes) {
  const { bavail, bsize } = statfsSync(directory);
  const free = Math.floor((bavail * bsize) / 2 ** 20);
  if (free < megabytes)
    fail(`The disk of ${directory} is full: ${free} MB are free, ${megabytes} MB are needed.`);
}

const readText = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function install() {
  const stamp = join(root, 'node_modules', '.escucho-installed');
  const expected = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(process.version)
    .digest('hex');
  if (readText(stamp) === expected) return;
  checkDisk(root, 1500);
  console.log('Installing packages (once, about a minute) …');
  // Not `npm ci`, which fails when the registry lacks optional builds of other platforms.
  const args = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  if (run('npm', args) !== 0) fail('The packages could not be installed; see the output above.');
  writeFileSync(stamp, expected);
}

/** Hashes the names, sizes and modification times of the files in folders. */
function hashFiles(folders) {
  const hash = createHash('sha256');
  const addFolder = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) addFolder(path);
      else {
        const { size, mtimeMs } = statSync(path);
        hash.update(`${path}:${size}:${mtimeMs}\n`);
      }
    }
  };
  for (const folder of folders) addFolder(join(root, folder));
  hash.update(readFileSync(join(root, 'package-lock.json')));
  return hash.digest('hex');
}

/** Writes .br and .gz files for every text file of the web build, which the server sends instead of compressing. */
function compressWebBuild() {
  const dist = join(root, 'apps/web/dist');
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(html|js|css|svg|json|webmanifest)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    const quality = {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, quality));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/**
 * Flags of Node.js that turn its own `localStorage` off, which it has since version 25: it warns when the pages that are
 * prerendered look for one, and jsdom does not replace it.
 */
export const storageFlags = process.allowedNodeEnvironmentFlags.has('--experimental-webstorage')
  ? ['--no-experimental-webstorage']
  : [];

/** Builds web and server if their sources changed since the last build. */
export function build() {
  const stamp = join(root, '.cache', 'built');
  const expected = hashFiles(['apps', 'services', 'packages', 'scripts']);
  const built =
    existsSync(join(root, 'apps/web/dist/index.html')) && existsSync(join(root, 'apps/server/dist/main.js'));
  if (built && readText(stamp) === expected) return;
  console.log('Building …');
  for (const app of ['apps/web', 'apps/server']) {
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const code = run(process.execPath, [...storageFlags, vite, 'build', '--logLevel', 'warn'], {
      cwd: join(root, app),
      // React's production build, whatever the shell's NODE_ENV is.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (code !== 0) fail(`${app} could not be built; see the output above.`);
  }
  compressWebBuild();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, expected);
}

/** Checks Node and installs what is missing. */
export function prepare() {
  checkNode();
  install();
}
