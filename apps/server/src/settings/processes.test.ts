import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '@escucho/database/testing';
import { describe, expect, it } from 'vitest';
import { createInstance } from '../instance.ts';
import { readSettings } from '../settings.ts';

const directory = await createFolder();
const DATABASE_URL = 'postgres://escucho:s3cret@db.example/escucho';
const shared = { DATABASE_URL, PUBLIC_URL: 'http://localhost:8080' };

async function writeFileOf(name: string, content: string): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, content);
  return file;
}

describe('ROLES', () => {
  it('are all without the variable', () => {
    expect(readSettings({}).roles).toEqual(['web', 'portal', 'identity', 'billing', 'jobs']);
  });

  it.each([
    ['a list of roles', { ROLES: 'portal, jobs', ...shared }, ['portal', 'jobs']],
    ['the web app without a database', { ROLES: 'web', PUBLIC_URL: shared.PUBLIC_URL }, ['web']],
    ['all roles without a database', { ROLES: 'web,portal,identity,billing,jobs' }, expect.anything()],
  ])('accept %s', (_, env, roles) => {
    expect(readSettings(env).roles).toEqual(roles);
  });

  it.each([
    ['an unknown role', { ROLES: 'portal,search', ...shared }, /ROLES.*: must be a list of web, portal/],
    ['no public URL', { ROLES: 'portal', DATABASE_URL }, /PUBLIC_URL: needed with ROLES/],
    ['no database', { ROLES: 'portal', PUBLIC_URL: shared.PUBLIC_URL }, /DATABASE_URL: needed with ROLES/],
    [
      'a direct address alone',
      { DATABASE_DIRECT_URL: DATABASE_URL },
      /DATABASE_DIRECT_URL: needs DATABASE_URL/,
    ],
    ['standbys alone', { DATABASE_READ_URL: DATABASE_URL }, /DATABASE_READ_URL: needs DATABASE_URL/],
  ])('are refused with %s', (_, env, problem) => {
    expect(() => readSettings(env)).toThrow(problem);
  });
});

describe('secrets', () => {
  it('SECRETS replaces secrets.json', () => {
    const instance = createInstance();
    expect(readSettings({ SECRETS: JSON.stringify(instance) }).secrets).toEqual(instance);
  });

  it.each(['{', '{"userPoolId":"local_a"}'])('SECRETS is refused without repeating it: %j', (SECRETS) => {
    expect(() => readSettings({ SECRETS })).toThrow(/SECRETS: must be the content of a secrets\.json/);
    expect(() => readSettings({ SECRETS })).toThrow(expect.not.stringContaining('local_a'));
  });

  it('any variable is read from the file that NAME_FILE names, without its line end', async () => {
    const file = await writeFileOf('url', `${DATABASE_URL}\n`);
    expect(readSettings({ DATABASE_URL_FILE: file }).databaseUrl).toBe(DATABASE_URL);
  });

  it('AWS keys of files are those for Amazon Cognito and for a bucket', async () => {
    const { awsKeys, mediaLocation } = readSettings({
      IDENTITY_USER_POOL_ID: 'eu-west-1_Ab12Cd34E',
      IDENTITY_CLIENT_ID: 'abc',
      MEDIA_STORE: 's3://sound',
      AWS_ACCESS_KEY_ID_FILE: await writeFileOf('key id', 'AKIATEST'),
      AWS_SECRET_ACCESS_KEY_FILE: await writeFileOf('key', 'secret'),
      AWS_SESSION_TOKEN: 'temporary',
    });
    const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret', sessionToken: 'temporary' };
    expect(awsKeys).toEqual(keys);
    expect(mediaLocation).toMatchObject({ keys });
  });

  it('AWS keys for a bucket of another provider are not those for Amazon Cognito', async () => {
    const { awsKeys, mediaLocation } = readSettings({
      IDENTITY_USER_POOL_ID: 'eu-west-1_Ab12Cd34E',
      IDENTITY_CLIENT_ID: 'abc',
      MEDIA_STORE: 's3://sound',
      AWS_ENDPOINT_URL_S3: 'https://s3.example.org',
      AWS_ACCESS_KEY_ID_FILE: await writeFileOf('bucket key id', 'id'),
      AWS_SECRET_ACCESS_KEY_FILE: await writeFileOf('bucket key', 'secret'),
    });
    expect(awsKeys).toBeUndefined();
    expect(mediaLocation).toMatchObject({ keys: { accessKeyId: 'id', secretAccessKey: 'secret' } });
  });

  it.each(['', ' \n'])(
    'refuses a file without content, which would leave the variable unset: %j',
    async (text) => {
      const file = await writeFileOf('empty', text);
      const env = { DATABASE_URL_FILE: file, STRIPE_SECRET_KEY_FILE: file };
      expect(() => readSettings(env)).toThrow(
        /DATABASE_URL_FILE: .*empty is empty\n.*STRIPE_SECRET_KEY_FILE: /,
      );
    },
  );

  it('refuses a variable that is set twice, and a file that cannot be read', async () => {
    const file = await writeFileOf('token', 'a long enough token');
    const env = { METRICS_TOKEN: 'another token', METRICS_TOKEN_FILE: file, DATABASE_URL_FILE: '/nowhere' };
    expect(() => readSettings(env)).toThrow(/METRICS_TOKEN, METRICS_TOKEN_FILE: set one of them/);
    expect(() => readSettings(env)).toThrow(/DATABASE_URL_FILE: ENOENT.*\/nowhere/);
  });
});

it.each(['-1', '61', '1.5', 'soon'])('SHUTDOWN_DELAY_SECONDS=%s is refused', (SHUTDOWN_DELAY_SECONDS) => {
  expect(() => readSettings({ SHUTDOWN_DELAY_SECONDS })).toThrow(/SHUTDOWN_DELAY_SECONDS: must be/);
});
