// `npm run check`: static checks, in under a minute.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { findBudgetErrors } from './budgets.mjs';
import { findLinkErrors, findSpecificationErrors } from './documentation.mjs';
import { build, getToolPath, prepare, root } from './prepare.mjs';
import { findSecrets } from './secrets.mjs';
import { findStructureErrors } from './structure.mjs';

const workspaces = [
  'packages/audit',
  'packages/contracts',
  'packages/database',
  'packages/jobs',
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

/** Runs a tool of the packages, or an installed one. Returns its output if it failed, else an empty text. */
function runTool(name, args, { isGlobal = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(isGlobal ? name : getToolPath(name), args, {
      cwd: root,
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve(code === 0 ? '' : output || `${name} exited with ${code}`));
  });
}

/** Reads the files of the repository that match patterns of git; all of them without a pattern. */
function readFiles(...patterns) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
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

const readSources = () => readFiles('*.ts', '*.tsx', '*.css');

const formatErrors = (errors) =>
  errors.map(({ path, line, message }) => `${path}:${line}  ${message}`).join('\n');

async function checkSpecification() {
  const file = join(root, 'docs/specification.md');
  const tests = readSources().filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path));
  const security = readFileSync(join(root, 'docs/security.md'), 'utf8');
  return [
    ...findSpecificationErrors(readFileSync(file, 'utf8'), tests),
    ...findLinkErrors(security, (path) => existsSync(join(root, 'docs', path))),
  ].join('\n');
}

/** Text files only: media are large, and contain no keys. */
const checkSecrets = async () =>
  findSecrets(readFiles().filter(({ text }) => !text.includes('\0'))).join('\n');

/** Reports vulnerable packages of the product. Without a registry that knows any, nothing is reported. */
async function checkAdvisories() {
  // The level is inherited: `npm run --silent` would hide why the registry did not answer.
  const args = ['audit', '--omit=dev', '--audit-level=high', '--loglevel=error'];
  const output = await runTool('npm', args, { isGlobal: true });
  if (
    !/audit endpoint|network|E(?:NOTFOUND|CONN|AI_AGAIN|TIMEDOUT)|ENOAUDIT|\b(?:404|405|501|502|503)\b/i.test(
      output,
    )
  )
    return output;
  console.log('     the registry has no advisories: packages were not checked');
  return '';
}

async function checkTypes() {
  const remaining = [...workspaces];
  const outputs = [];
  const worker = async () => {
    for (let next = remaining.shift(); next; next = remaining.shift())
      outputs.push(await runTool('tsc', ['-p', next]));
  };
  await Promise.all(cpus().slice(0, 4).map(worker));
  return outputs.join('');
}

async function checkBudgets() {
  build();
  return findBudgetErrors().join('\n');
}

const steps = [
  ['format and lint', () => runTool('biome', ['check', '--error-on-warnings', '.'])],
  ['structure', async () => formatErrors(findStructureErrors(readSources()))],
  ['specification', checkSpecification],
  ['secrets', checkSecrets],
  ['advisories', checkAdvisories],
  ['types', checkTypes],
  [
    'compose.yaml',
    () =>
      runTool('dclint', ['--config', 'deploy/compose/dclint.yaml', '--max-warnings', '0', 'compose.yaml']),
  ],
  ['unused code', () => runTool('knip', ['--no-progress'])],
  ['budgets', checkBudgets],
];

/** Runs every step. Returns whether all succeeded. */
export async function check() {
  let clean = true;
  for (const [name, step] of steps) {
    const started = performance.now();
    const errors = await step();
    console.log(
      `${errors === '' ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
    );
    if (errors !== '') {
      clean = false;
      console.error(errors);
    }
  }
  return clean;
}

if (realpathSync(process.argv[1]) === import.meta.filename) {
  prepare();
  process.exitCode = (await check()) ? 0 : 1;
}
