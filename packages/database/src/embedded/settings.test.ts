import { describe, expect, it } from 'vitest';
import { parsePidFile } from './pid-file.ts';
import { describeFailure, toDatabaseError } from './server.ts';
import { buildPostgresqlConf, getUsableMemory } from './settings.ts';

const MB = 1024 * 1024;

describe('the pid file', () => {
  it.each([
    [
      'of a socket',
      '42\n/data\n1700000000\n5432\n/data/run\n\n  123 4\nready\n',
      { pid: 42, address: { folder: '/data/run' } },
    ],
    ['of a port', '42\nC:/data\n1700000000\n49152\n\n127.0.0.1\n', { pid: 42, address: { port: 49152 } }],
    ['cut off', '42\n/data\n1700000000\n5432\n/data/r', undefined],
    ['of a server that listens nowhere yet', '42\n/data\n1700000000\n5432\n\n\n', undefined],
    ['just begun', '42\n/data\n1700000000\n5432\n\n', undefined],
    ['empty', '', undefined],
  ])('%s is read as it is', (_, text, read) => {
    expect(parsePidFile(text)).toEqual(read);
  });
});

describe('the settings', () => {
  it.each([
    ['128 MB', 128 * MB, '32MB'],
    ['2 GB', 2048 * MB, '128MB'],
    ['24 GB', 24_576 * MB, '1536MB'],
    ['64 GB', 65_536 * MB, '2048MB'],
  ])('take a fair share of %s of memory', (_, memory, buffers) => {
    const dataSize = 10_000 * MB;
    expect(buildPostgresqlConf({ address: { folder: '/run' }, durable: true, memory, dataSize })).toContain(
      `shared_buffers = '${buffers}'`,
    );
  });

  it.each([
    ['64 MB for a new database', 0, '64MB'],
    ['a quarter of a larger one', 1201 * MB, '301MB'],
    ['their share of memory for a database that exceeds it', 7000 * MB, '1536MB'],
  ])('have buffers of %s', (_, dataSize, buffers) => {
    const input = { address: { folder: '/run' }, durable: true, memory: 24_576 * MB, dataSize };
    expect(buildPostgresqlConf(input)).toContain(`shared_buffers = '${buffers}'`);
  });

  it('respect the memory limit of a container', () => {
    expect([getUsableMemory(8000, 500), getUsableMemory(8000, 0), getUsableMemory(8000, 2 ** 63)]).toEqual([
      500, 8000, 8000,
    ]);
  });

  it('turn durability off only on request', () => {
    const conf = (durable: boolean) =>
      buildPostgresqlConf({ address: { folder: '/run' }, durable, memory: 0, dataSize: 0 });
    expect(conf(true)).not.toContain('fsync');
    expect(conf(false)).toContain("fsync = 'off'");
  });
});

describe('a failure', () => {
  it.each([
    ['initdb: error: could not write file: No space left on device', 'disk-full'],
    ['FATAL:  database files are incompatible with server', 'wrong-version'],
    ['initdb: error: could not look up effective user ID 1234: user does not exist', 'no-account'],
    ['LOG:  could not bind IPv4 address "127.0.0.1": Address already in use', 'port-taken'],
    ['initdb: error: could not create directory: Permission denied', 'not-writable'],
    ['initdb: error: could not create directory: Read-only file system', 'not-writable'],
    ['FATAL:  something new', 'start-failed'],
  ])('that says "%s" is a fault of kind %s', (output, code) => {
    expect(describeFailure('start', output)).toMatchObject({
      code,
      message: expect.stringContaining(output),
    });
  });

  it.each([
    ['ENOSPC: no space left on device, write', 'disk-full'],
    ["EACCES: permission denied, open '/data'", 'not-writable'],
    ["EROFS: read-only file system, mkdir '/data'", 'not-writable'],
    ["ENOENT: no such file or directory, mkdir '/read-only/deep/data'", 'not-writable'],
    ["ENOENT: no such file or directory, open '/data'", 'start-failed'],
  ])('of the file system, "%s", is a fault of kind %s', (message, code) => {
    expect(toDatabaseError('start', new Error(message))).toMatchObject({ code });
  });
});
