import * as identityPoolClient from '@aws-sdk/client-cognito-identity-provider';
import { describe, expect, it } from 'vitest';
import { type Role, roles, startAccessProduct } from './testing/access-product.ts';
import { rows } from './testing/access-rows.ts';
import { type AccessRow, accessRules, toRequest } from './testing/access-rules.ts';

const { app, credentials, values, replaceUsers } = await startAccessProduct();
const requestValues = { credentials, values };

/** Returns the status with the error code, such as `404 not_found`, and the body. */
async function send(row: AccessRow, role: Role) {
  // The stream of notifications does not end.
  const response = await app.inject({
    ...toRequest(row, role, requestValues),
    payloadAsStream: row.isStream === true,
  });
  if (row.isStream) response.stream().destroy();
  const body = row.isStream ? '' : response.body;
  const isJson = String(response.headers['content-type']).includes('json');
  const json = isJson && body !== '' ? JSON.parse(body) : {};
  const code =
    response.statusCode < 400 ? '' : (json.error?.code ?? json.code ?? json.__type ?? json.error ?? '');
  return { outcome: `${response.statusCode} ${code}`.trim(), body };
}

describe('every route, by every role', () => {
  it.each(rows.map((row) => [row.title ?? row.route, row] as const))('[API-02] %s', async (_title, row) => {
    if (row.replacesUsers) await replaceUsers();
    const expected: Record<string, string> = {};
    const outcomes: Record<string, string> = {};
    for (const role of roles) {
      const outcome = row[role] ?? accessRules[row.access][role] ?? row.outcome ?? '200';
      expected[role] = row.isStream ? outcome.slice(0, 3) : outcome;
      const { outcome: actual, body } = await send(row, role);
      outcomes[role] = actual;
      const mayRead =
        row.access === 'anyone' || row.access === 'apiKey' || ['owner', 'secretKey'].includes(role);
      for (const name of mayRead ? [] : ['user', 'email', 'bookmark', 'playlist'])
        if (!row.url?.includes(`$${name}`) && body.includes(values[name] ?? ''))
          outcomes[role] += ` with the owner’s ${name}`;
    }
    expect(outcomes).toEqual(expected);
  });
});

/** Returns the routes of the product, such as `GET /health`, from Fastify's printed tree. HEAD and OPTIONS follow GET and CORS. */
function listRoutes(): string[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const match = /^(.*── )(\S+) \((.+)\)$/.exec(line);
      if (!match) return [];
      const [, indent = '', path = '', methods = ''] = match;
      const depth = indent.length / 4;
      parents[depth] = (depth > 1 ? (parents[depth - 1] ?? '') : '') + path;
      return methods
        .split(', ')
        .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
        .map((method) => `${method} ${parents[depth]?.replace(/(?<=.)\/$/, '')}`);
    });
}

/** Returns Cognito's operations that the identity provider implements, of all that AWS's client knows. */
async function listOperations(): Promise<string[]> {
  const names = Object.keys(identityPoolClient).filter((name) => /^[A-Z]\w+Command$/.test(name));
  const targets = [
    ...names.map((name) => `AWSCognitoIdentityProviderService.${name.replace(/Command$/, '')}`),
    'AWSCognitoIdentityService.GetId',
    'AWSCognitoIdentityService.GetCredentialsForIdentity',
  ];
  const implemented: string[] = [];
  for (const target of targets) {
    const row: AccessRow = { access: 'anyone', route: `POST /identity#${target}`, body: {} };
    const { outcome } = await send(row, 'nobody');
    if (!outcome.includes('UnknownOperation')) implemented.push(row.route);
  }
  return implemented;
}

it('[API-02] every route and every operation has a row', async () => {
  const known = new Set(rows.map(({ route }) => route));
  const operations = await listOperations();
  expect(operations.length).toBeGreaterThan(15);
  // All operations have one route.
  const routes = new Set(listRoutes().filter((route) => route !== 'POST /identity'));
  expect(routes.size).toBeGreaterThan(80);
  const existing = new Set([...routes, ...operations]);
  expect([...existing].filter((route) => !known.has(route))).toEqual([]);
  expect([...known].filter((route) => !existing.has(route))).toEqual([]);
});
