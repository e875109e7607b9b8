import { describe, expect, it } from 'vitest';
import { clientConfig, connectionFromUrl } from './connection.ts';

const plain = { host: 'db.example', port: 5432, database: 'escucho', user: 'ana' };

describe('a DATABASE_URL', () => {
  it.each([
    ['postgres://ana@db.example/escucho', plain],
    ['postgresql://ana:p%40ss@db.example:6543/escucho', { ...plain, port: 6543, password: 'p@ss' }],
    ['postgres://ana@[::1]/escucho', { ...plain, host: '::1' }],
    ['postgres://ana@%2Frun%2Fpostgresql/escucho', { ...plain, host: '/run/postgresql' }],
    ['postgres://ana@localhost/escucho?host=/run/postgresql', { ...plain, host: '/run/postgresql' }],
    ['postgres://ana@db.example/escucho?sslmode=disable', plain],
    ['postgres://ana@db.example/escucho?sslmode=require', { ...plain, tls: { verify: false } }],
    ['postgres://ana@db.example/escucho?sslmode=verify-full', { ...plain, tls: { verify: true } }],
    ['postgres://ana@db.example/escucho?ssl=true', { ...plain, tls: { verify: true } }],
    [
      'postgres://ana@db.example/escucho?sslrootcert=/ca.pem',
      { ...plain, tls: { verify: true, ca: '/ca.pem' } },
    ],
    [
      'postgres://ana@db.example/escucho?sslmode=require&sslrootcert=/ca.pem',
      { ...plain, tls: { verify: true, ca: '/ca.pem' } },
    ],
  ])('%s is understood', (url, connection) => {
    expect(connectionFromUrl(url)).toEqual(connection);
  });

  it.each([
    ['secret', 'is not an address'],
    ['mysql://ana:secret@db.example/escucho', 'must begin with postgres://'],
    ['postgres:///escucho', 'names no host'],
    ['postgres://db.example/escucho', 'names no user'],
    ['postgres://ana:secret@db.example', 'names no database'],
    ['postgres://ana:secret%@db.example/escucho', 'has a %'],
    ['postgres://ana:secret@db.example/escucho?sslmode=perhaps', 'unknown sslmode'],
  ])('%s is refused without repeating it', (url, problem) => {
    expect(() => connectionFromUrl(url)).toThrow(
      expect.objectContaining({ code: 'bad-url', message: expect.stringContaining(problem) }),
    );
    expect(() => connectionFromUrl(url)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    );
  });

  it.each([
    ['disable', false],
    ['require', { rejectUnauthorized: false }],
    ['verify-full', { rejectUnauthorized: true }],
  ])('with sslmode=%s encrypts accordingly', (mode, ssl) => {
    const connection = connectionFromUrl(`postgres://ana@db.example/escucho?sslmode=${mode}`);
    expect(clientConfig(connection, 'test').ssl).toEqual(ssl);
  });

  it('with a file of sslrootcert that is missing is refused with its name', () => {
    const connection = connectionFromUrl('postgres://ana@db.example/escucho?sslrootcert=/nowhere/ca.pem');
    expect(() => clientConfig(connection, 'test')).toThrow(/sslrootcert.*\/nowhere\/ca\.pem/);
  });
});
