// Finds a Chromium for end-to-end tests and benchmarks: CHROMIUM_PATH, the machine's, Playwright's, else Debian's package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail, run } from './prepare.mjs';

// The shell without a window, for which the end-to-end tests take a third less processor time, comes first.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const applications = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

function findInstalled() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    process.env.CHROMIUM_PATH ?? '',
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
  ];
  return [...candidates, ...applications].find((path) => path !== '' && existsSync(path));
}

async function installWithPlaywright() {
  const { chromium } = await import('playwright-core');
  const findBundled = () => (existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined);
  if (findBundled()) return findBundled();
  const cli = ['playwright-core', 'install', 'chromium-headless-shell', 'chromium'];
  spawnSync('npx', cli, { stdio: 'ignore', timeout: 300_000, shell: process.platform === 'win32' });
  return findBundled();
}

function installWithApt() {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return undefined;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (...args) => {
    const [command, ...rest] = [...sudo, 'apt-get', '-qq', '-y', ...args];
    return run(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }) === 0;
  };
  console.log('Installing Chromium from the distribution’s packages …');
  const install = (name) => apt('install', '--no-install-recommends', name);
  if (!apt('update') || !(install('chromium-headless-shell') || install('chromium'))) return undefined;
  return findInstalled();
}

/** Returns the path of a Chromium, installing one if necessary; exits with a message if that fails. */
export async function findChromium() {
  const found = findInstalled() ?? (await installWithPlaywright()) ?? installWithApt();
  return found ?? fail('End-to-end tests need Chromium: install it, or set CHROMIUM_PATH.');
}
