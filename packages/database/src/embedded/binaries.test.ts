import { cp, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRoot, serviceAccount } from './account.ts';
import { completed, findBinaries, installedBinaries } from './binaries.ts';
import { folder } from './testing/helpers.ts';

const links = [
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
];

describe('the programs of PostgreSQL', () => {
  it('get the links that npm did not make, and keep those that are there', async () => {
    const native = join(await folder(), 'native');
    await mkdir(join(native, 'lib'), { recursive: true });
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library');
    await symlink('libpq.so.5.18', join(native, 'lib', 'libpq.so'));

    expect([await completed(native), await completed(native)]).toEqual([true, true]);
    expect(await readlink(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(await readFile(join(native, 'lib', 'libpq.so'), 'utf8')).toBe('library');
  });

  it('are missed on a platform that has none, with what to do instead', () => {
    expect(() => installedBinaries('sunos', 'sparc')).toThrow(
      expect.objectContaining({ code: 'no-binaries', message: expect.stringContaining('set DATABASE_URL') }),
    );
  });

  it.runIf(isRoot())('are copied, complete, to where the account can run them', async () => {
    const hidden = await folder();
    const aside = await folder();
    await mkdir(join(hidden, 'private'), { mode: 0o700 });
    const native = join(hidden, 'private', 'native');
    await cp(installedBinaries(process.platform, process.arch), native, {
      recursive: true,
      verbatimSymlinks: true,
    });
    await rm(join(native, 'lib', 'libpq.so.5'));
    await writeFile(join(hidden, 'private', 'package.json'), '{ "version": "18.0.0" }');

    const account = await serviceAccount();
    const copy = await findBinaries(native, async () => aside, account);
    expect(copy).toBe(join(aside, 'postgresql-18.0.0'));
    expect(await readlink(join(copy, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(await findBinaries(native, async () => aside, account)).toBe(copy);
  });
});
