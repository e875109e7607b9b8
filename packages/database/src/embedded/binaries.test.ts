import { cp, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../testing/cleanup.ts';
import { findServiceAccount, isRoot } from './account.ts';
import { findBinaries, findInstalledBinaries, linkLibraries } from './binaries.ts';

const links = [
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
];

describe('PostgreSQL’s binaries', () => {
  it('get the links that npm did not create and keep existing ones', async () => {
    const native = join(await createFolder(), 'native');
    await mkdir(join(native, 'lib'), { recursive: true });
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library');
    await symlink('libpq.so.5.18', join(native, 'lib', 'libpq.so'));

    expect([await linkLibraries(native), await linkLibraries(native)]).toEqual([true, true]);
    expect(await readlink(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(await readFile(join(native, 'lib', 'libpq.so'), 'utf8')).toBe('library');
  });

  it('missing on a platform are reported with advice', () => {
    expect(() => findInstalledBinaries('sunos', 'sparc')).toThrow(
      expect.objectContaining({ code: 'no-binaries', message: expect.stringContaining('set DATABASE_URL') }),
    );
  });

  it.runIf(isRoot())('are copied, complete, to where the account can run them', async () => {
    const hidden = await createFolder();
    const aside = await createFolder();
    await mkdir(join(hidden, 'private'), { mode: 0o700 });
    const native = join(hidden, 'private', 'native');
    await cp(findInstalledBinaries(process.platform, process.arch), native, {
      recursive: true,
      verbatimSymlinks: true,
    });
    await rm(join(native, 'lib', 'libpq.so.5'));
    await writeFile(join(hidden, 'private', 'package.json'), '{ "version": "18.0.0" }');

    const account = await findServiceAccount();
    const copy = await findBinaries(native, async () => aside, account);
    expect(copy).toBe(join(aside, 'postgresql-18.0.0'));
    expect(await readlink(join(copy, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(await findBinaries(native, async () => aside, account)).toBe(copy);
  });
});
