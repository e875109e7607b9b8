import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readSettings } from '../settings.ts';
import { checkEnv, EnvError, readEnv } from './variables.ts';

const schema = z.object({
  PORT: z._default(z.coerce.number('must be a port'), 3000),
  NAME: z.string('is needed'),
});

it('treats an empty variable as unset', () => {
  expect(readEnv(schema, { PORT: '', NAME: 'a' })).toEqual({ PORT: 3000, NAME: 'a' });
});

it('reports all invalid variables at once', () => {
  expect(() => readEnv(schema, { PORT: 'x' })).toThrow(EnvError);
  expect(() => readEnv(schema, { PORT: 'x' })).toThrow(/PORT: must be a port\n {2}NAME: is needed/);
});

it('reports the problems of several functions at once, and rethrows other errors', () => {
  const half = (name: string) => () => {
    throw new EnvError([`${name}: the other half is missing`]);
  };
  expect(() => checkEnv([half('A'), () => 1, half('B')])).toThrow(/A: the other.*\n {2}B: the other/);
  expect(() => checkEnv([() => 1])).not.toThrow();
  const broken = () => {
    throw new TypeError('a bug');
  };
  expect(() => checkEnv([half('A'), broken])).toThrow(TypeError);
});

describe('PUBLIC_URL', () => {
  it.each([
    ['https://Escucho.Example:443', 'https://escucho.example'],
    ['https://escucho.example:8443/', 'https://escucho.example:8443'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('is stored as the origin that browsers send: %s', (PUBLIC_URL, publicUrl) => {
    expect(readSettings({ PUBLIC_URL, DEMO: 'true' }).publicUrl).toBe(publicUrl);
  });

  it.each([
    'https://escucho.example/portal',
    'https://escucho.example/?lang=es',
    'https://escucho.example/#welcome',
    'https://ana:secret@escucho.example',
  ])('is refused where it is more than an origin: %s', (PUBLIC_URL) => {
    expect(() => readSettings({ PUBLIC_URL, DEMO: 'true' })).toThrow(
      'PUBLIC_URL: must have no path, query or credentials',
    );
  });

  it.each(['here', 'ftp://escucho.example', '//escucho.example'])('is refused as no address: %s', (url) => {
    expect(() => readSettings({ PUBLIC_URL: url })).toThrow('PUBLIC_URL: must be an http or https address');
  });
});
