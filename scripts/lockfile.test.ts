import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  link?: boolean;
  integrity?: string;
}
const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

it('every package of a registry is locked with a SHA-512 checksum', () => {
  expect(installed.length).toBeGreaterThan(500);
  const unverified = installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
  expect(unverified.map(([path]) => path)).toEqual([]);
});
