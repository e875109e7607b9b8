// Finds a Chromium for end-to-end tests and benchmarks: CHROMIUM_PATH, the machine's, Playwright's, else Debian's package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail, run } from './prepare.mjs';

/** Chromium without a window: end-to-end tests take a third less processor time with it. */
const shell = 'chromium-headless-shell';
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const applications = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

function findInstalled(names) {
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

function installWithApt(names) {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return undefined;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (...args) => {
    const [command, ...rest] = [...sudo, 'apt-get', '-qq', '-y', ...args];
    return run(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }) === 0;
  };
  console.log('Installing Chromium from the distribution’s packages …');
  const install = (name) => apt('install', '--no-install-recommends', name);
  if (!apt('update') || !(install(names[0]) || install('chromium'))) return undefined;
  return findInstalled(names);
}

/**
 * Returns the path of a Chromium, installing one if necessary; exits with a message if that fails.
 *
 * @param options.window - whether to prefer the browser that users have to the one without a window
 */
export async function findChromium({ window = true } = {}) {
  const names = window ? [...browsers, shell] : [shell, ...browsers];
  const found = findInstalled(names) ?? (await installWithPlaywright()) ?? installWithApt(names);
  return found ?? fail('End-to-end tests need Chromium: install it, or set CHROMIUM_PATH.');
}
