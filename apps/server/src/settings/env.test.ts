import { expect, it } from 'vitest';
import * as z from 'zod/mini';
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
