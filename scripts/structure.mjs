// The rules of the house that a machine keeps: who may import whom, and which things have a single home.
import { posix } from 'node:path';

/** @typedef {{ path: string, text: string }} SourceFile */
/** @typedef {{ path: string, line: number, message: string }} Fault */

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\n[^'"\n;]*?)*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;

const isTest = (path) => /\.test\.tsx?$|\/testing\/|\/testing\.ts$|vitest-setup/.test(path);
const feature = (path) => /^apps\/web\/src\/features\/([^/]+)\//.exec(path)?.[1];
const kernel = ['session', 'player', 'subscription'];
const service = (path) => /^services\/([^/]+)\//.exec(path)?.[1];

/** Every rule: which importing files it speaks of, what it forbids them to import, and where the code belongs instead. */
const importRules = [
  {
    from: /^packages\//,
    forbids: (target) =>
      /^(apps|services)\//.test(target) ||
      /^@escucho\/(portal|identity|billing|operators|server|web)\b/.test(target),
    message: 'Packages know no service and no app: hand in what is needed, or move the code up.',
  },
  {
    from: /^services\//,
    forbids: (target, path) => {
      const named = /^@escucho\/(portal|identity|billing|operators)\b/.exec(target)?.[1] ?? service(target);
      return (
        (named !== undefined && named !== service(path)) ||
        /^apps\//.test(target) ||
        /^@escucho\/(server|web)\b/.test(target)
      );
    },
    message:
      'A service never imports another service or an app: they speak HTTP; shared words belong in packages/contracts.',
  },
  {
    from: /^apps\/web\/src\//,
    forbids: (target) =>
      /^@escucho\/(?!contracts|purchases)/.test(target) || /^(services|packages)\//.test(target),
    message: 'The web app imports contracts and purchases, nothing else of ours.',
  },
  {
    from: /^apps\/web\/src\/shared\//,
    forbids: (target) => /^apps\/web\/src\/(features|app)\//.test(target),
    message: 'shared/ looks neither at features/ nor at app/: hand it in.',
  },
  {
    from: /^apps\/web\/src\/features\//,
    forbids: (target) => /^apps\/web\/src\/app\//.test(target),
    message: 'A feature never looks up at app/: what it needs is handed in by app/containers/.',
  },
  {
    from: /^apps\/web\/src\/features\//,
    forbids: (target, path) => {
      const other = feature(target);
      if (other === undefined || other === feature(path)) return false;
      const publicFile =
        kernel.includes(other) && new RegExp(`^apps/web/src/features/${other}/${other}\\.tsx?$`).test(target);
      return kernel.includes(feature(path)) || !publicFile;
    },
    message:
      'Features do not import each other, but for the public file of session, player and subscription; kernel features import none.',
  },
  {
    from: /\/(model\/.*|policy)\.tsx?$/,
    forbids: (target) =>
      /^(react|react-dom|react-router|zustand|@tanstack\/|fastify|kysely|pg$|node:(fs|net|http|child_process))/.test(
        target,
      ),
    message:
      'model/ and policy.ts are pure: no React, fetch, database or files. Act in the shell around them.',
  },
];

/** Things with a single home: the pattern, the files that may hold it, and where to go instead. */
const homes = [
  {
    pattern: /\blocalStorage\b|\bsessionStorage\b/,
    within: /^apps\/web\/src\//,
    home: /^apps\/web\/src\/shared\/storage\.ts$/,
    message: 'localStorage lives in shared/storage.ts.',
  },
  {
    pattern: /\bnew Audio\(|createElement\(['"](audio|video)['"]\)|<audio\b/,
    within: /^apps\/web\/src\//,
    home: /^apps\/web\/src\/features\/player\/engine\/html-audio\.ts$/,
    message: 'The media element lives in features/player/engine/html-audio.ts, behind its port.',
  },
  {
    pattern: /\bfetch\(/,
    within: /^apps\/web\/src\//,
    home: /^apps\/web\/src\/(shared\/(api\/client|config)|boot\/boot|features\/player\/engine\/preloader)\.ts$/,
    message: 'fetch lives in shared/api/client.ts: use call(endpoint, …).',
  },
  {
    pattern: /\bimport\.meta\.env\b/,
    within: /^apps\/web\/src\//,
    home: /^apps\/web\/src\/shared\/config\.ts$/,
    message: 'The environment is read in shared/config.ts.',
  },
  {
    pattern: /\bprocess\.env\b/,
    within: /^(services|packages)\/[^/]+\/src\//,
    home: /^packages\/(service-kit\/src\/serialization|database\/src\/testing)\.ts$/,
    message: 'The environment is read by the server’s settings and handed in.',
  },
  {
    pattern: /\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
    within: /^services\/[^/]+\/src\//,
    home: /\/(repository|[a-z-]+-repository|sweep)\.ts$/,
    message: 'SQL lives in the module’s repository.ts.',
  },
  {
    pattern: /#[0-9a-fA-F]{3,8}\b(?=['";\s)])/,
    within: /^apps\/web\/src\/.*\.(tsx|css)$/,
    home: /tokens\.css$/,
    message: 'Colours live in tokens.css; use a token.',
  },
  {
    pattern: /\bnew Date\(\)|\bDate\.now\(\)|\bMath\.random\(/,
    within: /\/model\/|\/policy\.ts$/,
    home: /^$/,
    message: 'Rules have no clock and no dice: hand them in.',
  },
  {
    pattern: /(?<![\w.])(?:any)(?=[\s;,)>\]|&[]|$)(?<=[:<|&,(]\s*any)/,
    within: /\.tsx?$/,
    home: /^$/,
    message: 'No any: say what it is, or unknown.',
  },
  {
    pattern: /[\w)\]]\s+as\s+(?!const\b)[A-Z{([]/,
    within: /^(apps|services|packages)\/.*\/src\//,
    home: /^(apps\/web\/src\/shared\/api\/client|packages\/service-kit\/src\/route|packages\/contracts\/src\/endpoint|packages\/database\/src\/.*)\.ts$/,
    message: 'No `as`: narrow by a check, or parse by a schema.',
  },
];

const blank = (part) => part.replace(/[^\n]/g, ' ');
const withoutComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|[^:'"`])\/\/.*$/gm, '$1');

const withoutImports = (text) =>
  text.replace(/(?:^|\n)(?:import|export)\b[^'"\n;=]*?(?:\n[^'"\n;=]*?)*?from\s*['"][^'"]+['"]/g, blank);

const lineOf = (text, index) => text.slice(0, index).split('\n').length;

/** Returns an import's path from the root for relative and aliased (`#shared/…`) imports, else the specifier itself. */
function resolveSpecifier(specifier, path) {
  if (specifier.startsWith('#')) return `apps/web/src/${specifier.slice(1)}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

/** @param {SourceFile} file @returns {Fault[]} */
function importFaults({ path, text }) {
  const faults = [];
  for (const match of text.matchAll(importPattern)) {
    const target = resolveSpecifier(match[1] ?? match[2] ?? match[3] ?? '', path);
    for (const rule of importRules) {
      if (rule.from.test(path) && rule.forbids(target, path)) {
        faults.push({
          path,
          line: lineOf(text, match.index + match[0].length),
          message: `${rule.message} (${target})`,
        });
      }
    }
  }
  return faults;
}

/** @param {SourceFile} file @returns {Fault[]} */
function homeFaults({ path, text }) {
  const code = withoutImports(withoutComments(text));
  return homes
    .filter(({ within, home }) => within.test(path) && !home.test(path))
    .flatMap(({ pattern, message }) =>
      [...code.matchAll(new RegExp(pattern, 'g'))].map((match) => ({
        path,
        line: lineOf(code, match.index),
        message,
      })),
    );
}

/**
 * Holds sources against the rules of the house.
 * @param {SourceFile[]} files paths from the root, with forward slashes
 * @returns {Fault[]} one for each place that breaks a rule; tests are free of them but for the direction of imports
 */
export function structureFaults(files) {
  return files.flatMap((file) => (isTest(file.path) ? [] : [...importFaults(file), ...homeFaults(file)]));
}
