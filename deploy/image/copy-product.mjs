// Copies what runs to a folder: the build, the migrations, the content, and the packages that the build does not contain.
// Usage, in the repository after `npm run build`: node deploy/image/copy-product.mjs FOLDER
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

const [target = ''] = process.argv.slice(2).map((folder) => resolve(folder));
const root = resolve(import.meta.dirname, '../..');
const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Source maps, documents, and sources and types in TypeScript. */
const isForDevelopment = (path) => /\.(map|md|[cm]?ts)$/.test(path);

function copy(path) {
  const filter = (source) => !isForDevelopment(source) && basename(source) !== 'node_modules';
  cpSync(join(root, path), join(target, path), { recursive: true, filter });
}

const copied = new Set();

/** Copies a package that Node finds from a folder, then its dependencies. Optional ones of other platforms are missing. */
function copyPackage(name, from) {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (!existsSync(path)) continue;
    if (copied.has(path)) return;
    copied.add(path);
    copy(relative(root, path));
    const { dependencies, optionalDependencies } = readManifest(path);
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
      copyPackage(dependency, path);
    return;
  }
}

const workspaces = readManifest(root).workspaces.filter((workspace) => !/^(e2e|bench)$/.test(workspace));
const folders = globSync(workspaces, { cwd: root });
mkdirSync(join(target, 'node_modules/@escucho'), { recursive: true });
for (const folder of folders) {
  const parts = ['package.json', 'dist', 'migrations', 'library', 'playlists.json'];
  for (const path of parts.map((part) => join(folder, part))) if (existsSync(join(root, path))) copy(path);
  symlinkSync(join('../..', folder), join(target, 'node_modules', readManifest(join(root, folder)).name));
}

// The bundle imports these as they are; the names in it that belong to no package are text.
const bundle = join(root, 'apps/server/dist');
for (const file of globSync('**/*.js', { cwd: bundle })) {
  const text = readFileSync(join(bundle, file), 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import\() ?"((?:@[\w.-]+\/)?[\w.-]+)"/g))
    if (/^(pg|sharp|@aws-sdk\/|@opentelemetry\/)/.test(name)) copyPackage(name, join(root, 'apps/server'));
}
