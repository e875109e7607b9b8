import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { checkEnv, EnvError, readEnv } from './env.ts';

const schema = z.object({
  PORT: z._default(z.coerce.number('must be a port'), 3000),
  NAME: z.string('is needed'),
});

it('reads settings, an empty one counting as unset', () => {
  expect(readEnv(schema, { PORT: '', NAME: 'a' })).toEqual({ PORT: 3000, NAME: 'a' });
});

it('lists every fault at once', () => {
  expect(() => readEnv(schema, { PORT: 'x' })).toThrow(EnvError);
  expect(() => readEnv(schema, { PORT: 'x' })).toThrow(/PORT: must be a port\n {2}NAME: is needed/);
});

it('lists the faults of several readings at once, and hides no other error', () => {
  const half = (name: string) => () => {
    throw new EnvError([`${name}: the other half is missing`]);
  };
  expect(() => checkEnv([half('A'), () => 1, half('B')])).toThrow(/A: the other.*\n {2}B: the other/);
  expect(() => checkEnv([() => 1])).not.toThrow();
  const broken = () => {
    throw new TypeError('a slip of ours');
  };
  expect(() => checkEnv([half('A'), broken])).toThrow(TypeError);
});
