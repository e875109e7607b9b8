import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  link?: boolean;
  /** Whether it comes within the archive of another package. */
  inBundle?: boolean;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}
const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);
const installed = Object.entries(packages).filter(
  ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
);

it('every package of a registry is locked with a SHA-512 checksum', () => {
  expect(installed.length).toBeGreaterThan(500);
  const unverified = installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
  expect(unverified.map(([path]) => path)).toEqual([]);
});

/** Returns whether a package finds a dependency in its own folder or in one above. */
function isLocked(path: string, name: string): boolean {
  if (packages[`${path}/node_modules/${name}`]) return true;
  const end = path.lastIndexOf('/node_modules/');
  return end < 0 ? packages[`node_modules/${name}`] !== undefined : isLocked(path.slice(0, end), name);
}

// npm leaves out those of other platforms when it updates a lockfile beside installed packages, and never adds them again.
it('the builds of packages for every platform are locked', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});
