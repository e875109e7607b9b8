// `npm run check`: everything a machine can say without running the product, in under a minute.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { findBudgetErrors } from './budgets.mjs';
import { build, prepare, root } from './prepare.mjs';
import { structureFaults } from './structure.mjs';

const workspaces = [
  'packages/contracts',
  'packages/database',
  'packages/purchases',
  'packages/service-kit',
  'services/billing',
  'services/identity',
  'services/operators',
  'services/portal',
  'apps/server',
  'apps/web',
  'apps/web/src/worker',
  'content',
  'e2e',
  'bench',
];
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Runs a tool. Returns its output where it failed, else an empty text. */
function tool(name, args) {
  return new Promise((resolve) => {
    const child = spawn(bin(name), args, { cwd: root, shell: process.platform === 'win32' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve(code === 0 ? '' : output || `${name} ended with ${code}`));
  });
}

function sources() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.css'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter(Boolean)
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(root, path), 'utf8') }];
      } catch {
        return []; // deleted, not yet committed
      }
    });
}

const asText = (faults) => faults.map(({ path, line, message }) => `${path}:${line}  ${message}`).join('\n');

async function types() {
  const waiting = [...workspaces];
  const found = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      found.push(await tool('tsc', ['-p', next]));
  };
  await Promise.all(cpus().slice(0, 4).map(worker));
  return found.join('');
}

async function budgets() {
  build();
  return findBudgetErrors().join('\n');
}

const steps = [
  ['format and lint', () => tool('biome', ['check', '--error-on-warnings', '.'])],
  ['structure', async () => asText(structureFaults(sources()))],
  ['types', types],
  ['unused code', () => tool('knip', ['--no-progress'])],
  ['budgets', budgets],
];

/** Runs every step. Returns whether all are clean. */
export async function check() {
  let clean = true;
  for (const [name, step] of steps) {
    const started = performance.now();
    const faults = await step();
    console.log(
      `${faults === '' ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
    );
    if (faults !== '') {
      clean = false;
      console.error(faults);
    }
  }
  return clean;
}

if (process.argv[1] === import.meta.filename) {
  prepare();
  process.exitCode = (await check()) ? 0 : 1;
}
