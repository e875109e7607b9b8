import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { api, buildPath, type Endpoint, errorStatus } from './index.ts';

const endpoints: Endpoint[] = Object.values(api).flatMap((group) => Object.values<Endpoint>(group));

describe('buildPath', () => {
  it.each([
    ['a parameter is encoded', '/a/:id', { params: { id: 'x/y?' } }, '/a/x%2Fy%3F'],
    ['a query is written', '/a', { query: { page: 2, limit: 20 } }, '/a?page=2&limit=20'],
    ['an undefined value is omitted', '/a', { query: { page: undefined } }, '/a'],
    [
      'an object becomes JSON',
      '/a',
      { query: { filter: { origin: 'user' } } },
      '/a?filter=%7B%22origin%22%3A%22user%22%7D',
    ],
  ] as const)('%s', (_, path, input, expected) => {
    expect(buildPath({ path }, input)).toBe(expected);
  });
});

describe('[API-01] endpoints', () => {
  it.each([
    ['GET', '/playlist/find-by-id/:id'],
    ['GET', '/playlist/find-paginated'],
    ['GET', '/playlist/find-playlist-content/:id'],
    ['POST', '/playlist'],
    ['PUT', '/playlist'],
    ['DELETE', '/playlist/:id'],
    ['GET', '/notifications/find-paginated'],
    ['POST', '/auth/sign-in-cognito'],
  ])('%s %s exists and requires a user', (method, path) => {
    const found = endpoints.find((candidate) => candidate.method === method && candidate.path === path);
    expect(found?.access).toBe('user');
  });

  it('have distinct methods and paths', () => {
    const names = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('have a schema for every parameter of their path', () => {
    for (const { path, params } of endpoints) {
      const named = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]);
      const known = params instanceof z.ZodMiniObject ? Object.keys(params.shape) : [];
      expect(known, path).toEqual(named);
    }
  });

  it('declare only errors that have a status', () => {
    for (const { errors = [] } of endpoints)
      for (const code of errors) expect(errorStatus[code]).toBeGreaterThanOrEqual(400);
  });
});

describe('the query of a playlist list', () => {
  const query = api.playlists.findPlaylists.query;

  it('defaults to page 1 and limit 20', () => {
    expect(query.parse({})).toEqual({ page: 1, limit: 20 });
  });

  it('reads filter and sorter from JSON', () => {
    const filter = { origin: 'user', name: { $ne: 'default' } };
    const parsed = query.parse({ filter: JSON.stringify(filter), sorter: '{"_created_at":-1}' });
    expect(parsed).toEqual({ page: 1, limit: 20, filter, sorter: { _created_at: -1 } });
  });

  it.each([
    ['no JSON', { filter: '{' }],
    ['an unknown operator', { filter: '{"name":{"$where":"1"}}' }],
    ['an unknown field', { filter: '{"owner":"x"}' }],
    ['a foreign origin', { filter: '{"origin":"root"}' }],
    ['too large a page', { limit: '101' }],
    ['a page before the first', { page: '0' }],
    ['half a page', { page: '1.5' }],
  ])('refuses %s', (_, input) => {
    expect(query.safeParse(input).success).toBe(false);
  });
});
