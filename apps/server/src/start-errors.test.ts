import { DatabaseError } from '@escucho/database';
import { describe, expect, it } from 'vitest';
import { describeStartError } from './start-errors.ts';

const systemError = (detail: object) => Object.assign(new Error('system'), detail);

describe('describeStartError', () => {
  it.each([
    ['a taken port', systemError({ code: 'EADDRINUSE', port: 3000 }), /Port 3000 is taken.*PORT=3001/],
    [
      'an address of another machine',
      systemError({ code: 'EADDRNOTAVAIL', address: '10.9.9.9' }),
      /10\.9\.9\.9.*HOST/,
    ],
    [
      'a directory of another user',
      systemError({ code: 'EACCES', path: '/srv/data' }),
      /\/srv\/data is not accessible/,
    ],
    [
      'a file where a directory is needed',
      systemError({ code: 'ENOTDIR', path: '/srv/sets' }),
      /^\/srv\/sets is not a directory\..*BACKUP_TO/,
    ],
    ['a privileged port', systemError({ code: 'EACCES', port: 80 }), /Port 80.*1023/],
    [
      'an unreachable database',
      systemError({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 5432 }),
      /^127\.0\.0\.1:5432 cannot be reached \(ECONNREFUSED\).*DATABASE_URL/,
    ],
    [
      'a proxy without a database behind it',
      new Error('Connection terminated unexpectedly'),
      /^The database ended the connection\..*DATABASE_URL/,
    ],
    [
      'an unknown database host',
      systemError({ code: 'ENOTFOUND', hostname: 'db.example' }),
      /^db\.example cannot be reached/,
    ],
    [
      'a resolver without an answer',
      systemError({ code: 'EAI_AGAIN', hostname: 'db.example' }),
      /^db\.example cannot be reached \(EAI_AGAIN\)/,
    ],
    [
      'a missing socket of the database',
      systemError({ code: 'ENOENT', syscall: 'connect', address: '/run/db/.s.PGSQL.5432' }),
      /^\/run\/db\/\.s\.PGSQL\.5432 cannot be reached/,
    ],
    [
      'an unknown certificate',
      systemError({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      /certificate.*not accepted: system.*sslrootcert/,
    ],
    [
      'a certificate for another name',
      systemError({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
      /certificate.*not accepted: system.*DATABASE_URL/,
    ],
    [
      'a database without TLS',
      new Error('The server does not support SSL connections'),
      /does not use TLS.*sslmode/,
    ],
    [
      'a bucket that does not exist',
      systemError({ $metadata: { httpStatusCode: 404 } }),
      /^The bucket responds with 404 \(system\).*MEDIA_STORE/,
    ],
    [
      'a bucket without credentials',
      systemError({ name: 'CredentialsProviderError' }),
      /^There are no credentials for the bucket.*AWS_/,
    ],
    ['a role without privileges', systemError({ code: '42501' }), /database refuses.*rights/],
    ['a read-only database', systemError({ code: '25006' }), /read-only.*DATABASE_URL/],
    [
      'a file that must be new',
      systemError({ code: 'EEXIST', syscall: 'open', path: '/srv/secrets.json' }),
      /^\/srv\/secrets\.json exists already/,
    ],
    ['a wrong password', systemError({ code: '28P01' }), /database refuses.*DATABASE_URL/],
    ['a full disk', systemError({ code: 'ENOSPC', path: '/srv/data' }), /disk is full/],
    ['a used up quota', systemError({ code: 'EDQUOT', path: '/srv/data' }), /disk is full/],
    ['a DatabaseError', new DatabaseError('in-use', 'Another Escucho runs here.'), /Another Escucho/],
  ])('explains %s', (_, error, sentence) => {
    expect(describeStartError(error)).toMatch(sentence);
  });

  it('returns undefined for an unexpected error', () => {
    expect(describeStartError(new TypeError('undefined is not a function'))).toBeUndefined();
  });
});
