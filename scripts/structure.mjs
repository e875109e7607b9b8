// Checks import directions, and that certain APIs (localStorage, fetch, SQL …) are used in one file only.
import { posix } from 'node:path';

/** @typedef {{ path: string, text: string }} SourceFile */
/** @typedef {{ path: string, line: number, message: string }} StructureError */

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\n[^'"\n;]*?)*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;

const isTest = (path) => /\.test\.tsx?$|\/testing\/|\/testing\.ts$|vitest-setup/.test(path);
const getFeature = (path) => /^apps\/web\/src\/features\/([^/]+)\//.exec(path)?.[1];
const kernelFeatures = ['session', 'player'];
const getService = (path) => /^services\/([^/]+)\//.exec(path)?.[1];

/** Import rules: the files they apply to, the imports they forbid, and the message. */
const importRules = [
  {
    from: /^packages\//,
    forbids: (target) =>
      /^(apps|services)\//.test(target) ||
      /^@escucho\/(portal|identity|billing|operators|server|web)\b/.test(target),
    message: 'Packages do not import services or apps: pass the dependency in, or move the code up.',
  },
  {
    from: /^services\//,
    forbids: (target, path) => {
      const imported =
        /^@escucho\/(portal|identity|billing|operators)\b/.exec(target)?.[1] ?? getService(target);
      return (
        (imported !== undefined && imported !== getService(path)) ||
        /^apps\//.test(target) ||
        /^@escucho\/(server|web)\b/.test(target)
      );
    },
    message:
      'Services do not import other services or apps: they communicate over HTTP; shared types belong in packages/contracts.',
  },
  {
    from: /^apps\/web\/src\//,
    forbids: (target) =>
      /^@escucho\/(?!contracts|purchases)/.test(target) || /^(services|packages)\//.test(target),
    message: 'Of the workspaces, the web app imports contracts and purchases only.',
  },
  {
    from: /^apps\/web\/src\/shared\//,
    forbids: (target) => /^apps\/web\/src\/(features|app)\//.test(target),
    message: 'shared/ imports neither features/ nor app/: pass the dependency in.',
  },
  {
    from: /^apps\/web\/src\/features\//,
    forbids: (target) => /^apps\/web\/src\/app\//.test(target),
    message: 'Features do not import app/: app/containers/ passes their dependencies in.',
  },
  {
    from: /^apps\/web\/src\/features\//,
    forbids: (target, path) => {
      const other = getFeature(target);
      if (other === undefined || other === getFeature(path)) return false;
      const publicFile =
        kernelFeatures.includes(other) &&
        new RegExp(`^apps/web/src/features/${other}/${other}\\.tsx?$`).test(target);
      return kernelFeatures.includes(getFeature(path)) || !publicFile;
    },
    message:
      'Features do not import each other, except the public files of session and player; kernel features import none.',
  },
  {
    from: /\/(model\/.*|policy)\.tsx?$/,
    forbids: (target) =>
      /^(react|react-dom|wouter|zustand|@tanstack\/|fastify|kysely|pg$|node:(fs|net|http|child_process))/.test(
        target,
      ),
    message:
      'model/ and policy.ts are pure: no React, fetch, database or files. Move the effect to the caller.',
  },
];

/** APIs that are used in few files: the pattern, the files it is searched in, those that may use it, and the message. */
const usageRules = [
  {
    pattern: /\blocalStorage\b|\bsessionStorage\b/,
    within: /^apps\/web\/src\//,
    allowed: /^apps\/web\/src\/shared\/storage\.ts$/,
    message: 'Use shared/storage.ts instead of localStorage.',
  },
  {
    pattern: /\bnew Audio\(|createElement\(['"](audio|video)['"]\)|<audio\b/,
    within: /^apps\/web\/src\//,
    allowed:
      /^apps\/web\/src\/features\/(player\/engine\/html-audio\.ts|welcome\/components\/sample-player\.tsx)$/,
    message: 'Only the player’s engine/html-audio.ts, and the sample of visitors, create media elements.',
  },
  {
    pattern: /\bfetch\(/,
    within: /^apps\/web\/src\//,
    allowed: /^apps\/web\/src\/(shared\/(api\/client|network)|features\/player\/engine\/loader)\.ts$/,
    message: 'Use call(endpoint, …) of shared/api/client.ts instead of fetch.',
  },
  {
    pattern: /\bimport\.meta\.env\b/,
    within: /^apps\/web\/src\//,
    allowed: /^apps\/web\/src\/shared\/config\.ts$/,
    message: 'Only shared/config.ts reads the environment.',
  },
  {
    pattern: /\bprocess\.env\b/,
    within: /^(services|packages)\/[^/]+\/src\//,
    allowed: /^packages\/(service-kit\/src\/validation|database\/src\/testing)\.ts$/,
    message: 'Only the server’s settings read the environment: pass the value in.',
  },
  {
    pattern: /\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
    within: /^services\/[^/]+\/src\//,
    allowed: /\/([a-z-]+-)?repository\.ts$/,
    message: 'SQL belongs in the module’s repository.ts.',
  },
  {
    pattern: /#[0-9a-fA-F]{3,8}\b(?=['";\s)])/,
    within: /^apps\/web\/src\/.*\.(tsx|css)$/,
    allowed: /tokens\.css$/,
    message: 'Use a token of tokens.css instead of a colour.',
  },
  {
    pattern: /\bnew Date\(\)|\bDate\.now\(\)|\bMath\.random\(/,
    within: /\/model\/|\/policy\.ts$/,
    allowed: /^$/,
    message: 'Rules are deterministic: pass the time or random value in.',
  },
  {
    pattern:
      /createHash\(['"](?:md5|sha1)['"]\)|['"](?:[\w-]*-ecb|des(?:3|-[\w-]+)?|rc4)['"]|\bMath\.random\(/,
    within: /^(apps\/server|services\/[^/]+|packages\/[^/]+)\/src\//,
    allowed: /^$/,
    message: 'Use SHA-256, AES-256-GCM and the random values of node:crypto.',
  },
  {
    pattern: /(?<![\w.])(?:any)(?=[\s;,)>\]|&[]|$)(?<=[:<|&,(]\s*any)/,
    within: /\.tsx?$/,
    allowed: /^$/,
    message: 'Use a type or unknown instead of any.',
  },
  {
    pattern: /[\w)\]]\s+as\s+(?!const\b)[A-Z{([]/,
    within: /^(apps|services|packages)\/.*\/src\//,
    allowed: /^(apps\/web\/src\/shared\/api\/client|packages\/contracts\/src\/endpoint)\.ts$/,
    message: 'Narrow the type with a check or a schema instead of `as`.',
  },
];

const toBlank = (text) => text.replace(/[^\n]/g, ' ');
const removeComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\//g, toBlank).replace(/(^|[^:'"`])\/\/.*$/gm, '$1');

const removeImports = (text) =>
  text.replace(/(?:^|\n)(?:import|export)\b[^'"\n;=]*?(?:\n[^'"\n;=]*?)*?from\s*['"][^'"]+['"]/g, toBlank);

const getLine = (text, index) => text.slice(0, index).split('\n').length;

/** Returns an import's path from the root for relative and aliased (`#shared/…`) imports, else the specifier itself. */
function resolveSpecifier(specifier, path) {
  if (specifier.startsWith('#')) return `apps/web/src/${specifier.slice(1)}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

/** @param {SourceFile} file @returns {StructureError[]} */
function findImportErrors({ path, text }) {
  const errors = [];
  for (const match of text.matchAll(importPattern)) {
    const target = resolveSpecifier(match[1] ?? match[2] ?? match[3] ?? '', path);
    for (const rule of importRules) {
      if (rule.from.test(path) && rule.forbids(target, path)) {
        errors.push({
          path,
          line: getLine(text, match.index + match[0].length),
          message: `${rule.message} (${target})`,
        });
      }
    }
  }
  return errors;
}

/** @param {SourceFile} file @returns {StructureError[]} */
function findUsageErrors({ path, text }) {
  const code = removeImports(removeComments(text));
  return usageRules
    .filter(({ within, allowed }) => within.test(path) && !allowed.test(path))
    .flatMap(({ pattern, message }) =>
      [...code.matchAll(new RegExp(pattern, 'g'))].map((match) => ({
        path,
        line: getLine(code, match.index),
        message,
      })),
    );
}

/**
 * Checks source files against the structure rules; test files are exempt.
 * @param {SourceFile[]} files paths from the root, with forward slashes
 * @returns {StructureError[]} one for each line that breaks a rule
 */
export function findStructureErrors(files) {
  return files.flatMap((file) =>
    isTest(file.path) ? [] : [...findImportErrors(file), ...findUsageErrors(file)],
  );
}
