import { DatabaseError } from '@escucho/database';
import { describe, expect, it } from 'vitest';
import { explained } from './faults.ts';

const systemError = (detail: object) => Object.assign(new Error('system'), detail);

describe('what went wrong at start is said in a sentence', () => {
  it.each([
    ['a taken port', systemError({ code: 'EADDRINUSE', port: 3000 }), /Port 3000 is taken.*PORT=3001/],
    [
      'an address of another machine',
      systemError({ code: 'EADDRNOTAVAIL', address: '10.9.9.9' }),
      /10\.9\.9\.9.*HOST/,
    ],
    [
      'a directory of somebody else',
      systemError({ code: 'EACCES', path: '/srv/data' }),
      /\/srv\/data is not writable/,
    ],
    ['a port of the system', systemError({ code: 'EACCES', port: 80 }), /Port 80.*1023/],
    [
      'a database that is not there',
      systemError({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 5432 }),
      /^127\.0\.0\.1:5432 cannot be reached \(ECONNREFUSED\).*DATABASE_URL/,
    ],
    [
      'a database that nobody knows by name',
      systemError({ code: 'ENOTFOUND', hostname: 'db.example' }),
      /^db\.example cannot be reached/,
    ],
    ['a password that is wrong', systemError({ code: '28P01' }), /database refuses.*DATABASE_URL/],
    ['a full disk', systemError({ code: 'ENOSPC', path: '/srv/data' }), /disk is full/],
    [
      'a database that says it itself',
      new DatabaseError('in-use', 'Another Escucho runs here.'),
      /Another Escucho/,
    ],
  ])('%s', (_, error, sentence) => {
    expect(explained(error)).toMatch(sentence);
  });

  it('keeps silent where only a stack trace helps', () => {
    expect(explained(new TypeError('undefined is not a function'))).toBeUndefined();
  });
});
